import KeywedgeTestKit
import Testing
import WebAPI

@testable import GitHubExample

/// Tests the example with a server that answers as docs.github.com/rest describes.
@Suite struct GitHubTests {
    /// Runs the example with a server, and returns the lines that it printed, followed by its error if it failed.
    private func run(
        _ arguments: String..., answer: @escaping @Sendable (StubRequest) -> StubAnswer
    ) async throws -> (text: String, server: StubServer) {
        try await StubServer.answering(answer) { server in
            let program = GitHubProgram(
                client: GitHub.client(over: try patientTransport(), at: BaseURL(server.url)))
            let lines = PrintedLines()
            do {
                let isKnown = try await program.run(arguments) { lines.print($0) }
                if !isKnown { lines.print("usage") }
            } catch {
                lines.print("\(error)".replacing(server.url, with: "SERVER"))
            }
            return (lines.text, server)
        }
    }

    @Test func zenIsAText() async throws {
        let (text, server) = try await run("zen") { _ in
            .text("Anything added dilutes everything else.")
        }
        #expect(text == "Anything added dilutes everything else.")
        let request = try #require(server.requests.first)
        #expect(request.target == "/zen")
        #expect(request["Accept"] == "application/vnd.github+json")
        #expect(request["X-GitHub-Api-Version"] == "2022-11-28")
        #expect(request["User-Agent"] == "keywedge-example")
    }

    @Test func aUserIsFoundByLogin() async throws {
        let (text, server) = try await run("user", "octo/cat") { _ in
            .json(#"{"login":"octocat","id":583231,"name":null,"public_repos":8,"plan":{}}"#)
        }
        #expect(text == "octocat (no name): 8 repositories")
        #expect(server.requests.map(\.target) == ["/users/octo%2Fcat"])
    }

    @Test func aSearchGoesThroughAllPages() async throws {
        @Sendable func repository(_ name: String) -> String {
            #"{"full_name":"\#(name)","owner":{"login":"octo"},"stargazers_count":7,"#
                + #""pushed_at":"2026-11-21T09:00:00+01:00","description":null}"#
        }
        let (text, server) = try await run("search", "barcode", "c++&swift") { request in
            let isFirst = !request.query.contains("&page=2")
            let items = isFirst ? [repository("a/a"), repository("b/b")] : [repository("c/c")]
            let next = request.target + "&page=2"
            return .json(
                "{\"total_count\":3,\"incomplete_results\":false,"
                    + "\"items\":[\(items.joined(separator: ","))]}",
                headers: isFirst ? ["Link": "<\(next)>; rel=\"next\", <x>; rel=\"last\""] : [:])
        }
        #expect(
            text
                == "3 repositories\n"
                + ["a/a", "b/b", "c/c"].map { name in
                    "\(name) of octo, 7 stars, pushed Sat, 21 Nov 2026 08:00:00 GMT"
                }.joined(separator: "\n"))
        #expect(
            server.requests.map(\.target) == [
                "/search/repositories?q=barcode%20c%2B%2B%26swift&per_page=50",
                "/search/repositories?q=barcode%20c%2B%2B%26swift&per_page=50&page=2",
            ])
    }

    private static func search(_ total: Int, incomplete: Bool) -> StubAnswer {
        .json(
            "{\"total_count\":\(total),\"incomplete_results\":\(incomplete),"
                + #""items":[{"full_name":"a/a","owner":{"login":"octo"},"stargazers_count":7,"#
                + #""pushed_at":null,"description":"\u001b[2J\u202eevil"}]}"#)
    }

    /// The items are printed, and then why the list is incomplete; texts from the server are escaped.
    @Test(arguments: [
        (
            7, false, "7 repositories",
            "the list ends after 1 item, but the service counts 7"
        ),
        (
            1, true, "1 repositories, and perhaps more: incomplete_results",
            "the service says that the list is incomplete"
        ),
    ])
    func aSearchThatEndsShortSaysSo(
        total: Int, incomplete: Bool, heading: String, reason: String
    ) async throws {
        let (text, _) = try await run("search", "x") { _ in
            Self.search(total, incomplete: incomplete)
        }
        #expect(
            text
                == heading + "\n" + #"a/a of octo, 7 stars: \x1b[2J\u202eevil"# + "\n"
                + "GitHub.RepositorySearch: \(reason); the request was GET "
                + "SERVER/search/repositories?q=x&per_page=50")
    }

    @Test func aTextOfTheServerIsEscaped() async throws {
        let (text, _) = try await run("zen") { _ in .text("a\u{1B}[31mb") }
        #expect(text == #"a\x1b[31mb"#)
    }

    private static let failures: [(StubAnswer, String)] = [
        (
            .json(#"{"login":"octocat","id":583231,"name":"The Octocat"}"#),
            #"the answer has no key "public_repos" at its top"#
        ),
        (
            .json(#"{"login":583231,"name":null,"public_repos":8}"#),
            "the answer has the number 583231 at /login, expected a text"
        ),
        (
            .json(#"{"login":"octocat","name":null,"public_repos":"8"}"#),
            #"the answer has the text "8" at /public_repos, expected an integer"#
        ),
        (
            .json(
                #"{"message":"Must have admin rights","documentation_url":"https://x"}"#,
                status: 403),
            #"the server answered 403 Forbidden: "Must have admin rights""#
        ),
        (
            .json(
                #"{"message":"API rate limit exceeded for 192.0.2.1."}"#, status: 403,
                headers: [
                    "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0",
                    "X-RateLimit-Reset": "1792569600",
                ]),
            "the server asks to wait until Wed, 21 Oct 2026 08:00:00 GMT: it answered "
                + #"403 Forbidden: "API rate limit exceeded for 192.0.2.1.""#
        ),
        (
            .json(
                #"{"message":"You have exceeded a secondary rate limit."}"#, status: 403,
                headers: ["Retry-After": "60", "X-RateLimit-Remaining": "42"]),
            "the server asks to wait for 1min: it answered "
                + #"403 Forbidden: "You have exceeded a secondary rate limit.""#
        ),
        (
            .json(#"{"message":"Not Found","status":"404"}"#, status: 404),
            #"the server answered 404 Not Found: "Not Found""#
        ),
        (
            .text(
                "<!DOCTYPE html>\n<html><head><title>Unicorn! &middot; GitHub</title></head>",
                type: "text/html", status: 502),
            #"the server answered 502 Bad Gateway: "Unicorn! &middot; GitHub""#
        ),
        (
            .text("<!DOCTYPE html>\n<title>Welcome to Hotel Wi-Fi</title>", type: "text/html"),
            "the answer is not JSON: line 1, byte 0: expected a value, found '<'; it is text/html "
                + #"and begins "<!DOCTYPE html>\n<title>Welcome to Hotel Wi-Fi</title>""#
        ),
    ]

    @Test(arguments: failures)
    func theErrorSaysWhatIsWrong(answer: StubAnswer, reason: String) async throws {
        let (text, _) = try await run("user", "octocat") { _ in answer }
        #expect(
            text == "GitHub.UserByLogin: \(reason); the request was GET SERVER/users/octocat")
    }

    @Test func aConnectionThatBreaksIsTold() async throws {
        let text = try await StubServer.run(script: { connection in
            _ = await connection.readRequest()
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"login\":")
        }) { server in
            let program = GitHubProgram(
                client: GitHub.client(over: try patientTransport(), at: BaseURL(server.url)))
            do {
                _ = try await program.run(["user", "octocat"]) { _ in }
                return ""
            } catch {
                return "\(error)".replacing(server.url, with: "SERVER")
            }
        }
        #expect(
            text
                == "GitHub.UserByLogin: the server closed the connection while the response's "
                + "content was read (200 OK, 9 of 100 bytes had come); the request was "
                + "GET SERVER/users/octocat")
    }

    @Test(arguments: [[], ["zen", "x"], ["user"], ["search"], ["x"]])
    func otherArgumentsAreNone(arguments: [String]) async throws {
        let program = GitHubProgram(client: APIClient(transport: StubTransport([])))
        #expect(try await !program.run(arguments) { _ in })
    }
}
