import KeywedgeTestKit
import Testing
import WebAPI

@testable import QiitaExample

/// Tests the example with a server that answers as qiita.com/api/v2/docs describes.
@Suite struct QiitaTests {
    private func run(
        script: @escaping StubServer.Script
    ) async throws -> (text: String, server: StubServer) {
        try await StubServer.run(script: script) { server in
            let program = QiitaProgram(
                client: Qiita.client(over: try patientTransport(), at: BaseURL(server.url)))
            let lines = PrintedLines()
            do {
                try await program.run("a@b") { lines.print($0) }
            } catch {
                lines.print("\(error)".replacing(server.url, with: "SERVER"))
            }
            return (lines.text, server)
        }
    }

    private func run(
        _ answer: @escaping @Sendable (StubRequest) -> StubAnswer
    ) async throws -> (text: String, server: StubServer) {
        try await run(script: { connection in
            while let request = await connection.readRequest() {
                try await connection.write(answer(request))
            }
        })
    }

    @Test func allFolloweesAreCountedAndNamed() async throws {
        let (text, server) = try await run { request in
            let isFirst = request.query.hasPrefix("page=1&")
            let host = request["Host"] ?? ""
            let next = "http://\(host)/api/v2/users/a@b/followees?page=2&per_page=100"
            let user = { (id: String) in
                #"{"id":"\#(id)","name":"名前","items_count":300,"location":null}"#
            }
            return .json(
                isFirst ? "[\(user("x")),\(user("y"))]" : "[\(user("z"))]",
                headers: isFirst
                    ? ["Total-Count": "3", "Link": "<\(next)>; rel=\"next\""] : ["Total-Count": "3"]
            )
        }
        #expect(
            text == """
                a@b follows 3
                x (名前): 300 articles
                y (名前): 300 articles
                z (名前): 300 articles
                """)
        #expect(
            server.requests.map(\.target) == [
                "/api/v2/users/a%40b/followees?page=1&per_page=100",
                "/api/v2/users/a@b/followees?page=2&per_page=100",
            ])
    }

    private static let one = #"[{"id":"x","name":"\u001b[2J","items_count":300}]"#

    @Test func aListThatEndsShortSaysSo() async throws {
        let (text, _) = try await run { _ in .json(Self.one, headers: ["Total-Count": "250"]) }
        #expect(
            text
                == "a@b follows 250\n" + #"x (\x1b[2J): 300 articles"# + "\n"
                + "Qiita.Followees: the list ends after 1 item, but the service counts 250; the "
                + "request was GET SERVER/api/v2/users/a%40b/followees?page=1&per_page=100")
    }

    @Test func aCountThatIsMissingIsTold() async throws {
        let (text, _) = try await run { _ in .json(Self.one) }
        #expect(
            text
                == "a@b follows so many as are listed (the answer has no Total-Count)\n"
                + #"x (\x1b[2J): 300 articles"#)
    }

    private static let failures: [(StubAnswer, String)] = [
        (
            .json(#"[{"id":"x","items_count":3}]"#),
            #"the answer has no key "name" at /0"#
        ),
        (
            .json(
                #"[{"id":"x","name":"X","items_count":3},{"id":"y","name":"Y","items_count":"3"}]"#),
            #"the answer has the text "3" at /1/items_count, expected an integer"#
        ),
        (
            .json(#"{"users":[]}"#), "the answer has an object at its top, expected a list"
        ),
        (
            .json("[]", headers: ["Total-Count": "many"]),
            #"the answer has the header Total-Count "many", expected a count"#
        ),
        (
            .json(
                #"{"message":"Rate limit exceeded","type":"rate_limit_exceeded"}"#, status: 403,
                headers: ["Rate-Remaining": "0", "Rate-Reset": "1792569600"]),
            "the server asks to wait until Wed, 21 Oct 2026 08:00:00 GMT: it answered "
                + #"403 Forbidden: "Rate limit exceeded""#
        ),
        (
            .json(#"{"message":"Forbidden","type":"forbidden"}"#, status: 403),
            #"the server answered 403 Forbidden: "Forbidden""#
        ),
        (
            .text("<html><head><title>Qiita - 500</title>", type: "text/html", status: 500),
            #"the server answered 500 Internal Server Error: "Qiita - 500""#
        ),
    ]

    @Test(arguments: failures)
    func theErrorSaysWhatIsWrong(answer: StubAnswer, reason: String) async throws {
        let (text, _) = try await run { _ in answer }
        #expect(
            text
                == "Qiita.Followees: \(reason); the request was GET "
                + "SERVER/api/v2/users/a%40b/followees?page=1&per_page=100")
    }

    @Test func aConnectionThatBreaksIsTold() async throws {
        let (text, _) = try await run(script: { _ = await $0.readRequest() })
        #expect(
            text
                == "Qiita.Followees: the server closed the connection while the response was "
                + "waited for; the request was GET "
                + "SERVER/api/v2/users/a%40b/followees?page=1&per_page=100")
    }
}
