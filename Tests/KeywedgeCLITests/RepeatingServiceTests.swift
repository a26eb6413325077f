import KeywedgeTestKit
import TestFolders
import TestWaiting
import Testing

/// Tests that no command prints a token that a service repeats anywhere in its answer.
@Suite(.blocking, .timeLimit(.minutes(10))) struct RepeatingServiceTests {
    /// No output may contain even the ``beginning`` of the token.
    private static let token = "s3cr/t-0123456789+abcdefghijklmnopqrstuvwxyz="
    private static let beginning = "s3cr/t"

    /// A place in an answer, and a function that returns an answer with the given text in this place.
    struct Place: CustomTestStringConvertible, Sendable {
        let name: String
        let answer: @Sendable (_ repeated: String) -> String

        var testDescription: String { name }

        init(_ name: String, _ answer: @escaping @Sendable (String) -> String) {
            self.name = name
            self.answer = answer
        }
    }

    private static func answer(
        _ status: String, _ fields: [String] = [], body: String = ""
    ) -> String {
        (["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.utf8.count)", "", ""])
            .joined(separator: "\r\n") + body
    }

    private static let whole = [
        Place("status text") { answer("499 No \($0)") },
        Place("header") {
            answer("401 Unauthorized", ["WWW-Authenticate: \($0)", "X-A: \($0)"])
        },
        Place("media type") { answer("200 OK", ["Content-Type: text/\($0)"], body: "[") },
        Place("retry") {
            answer("429 Too Many", ["Retry-After: 86400", "X: \($0)"], body: $0)
        },
        Place("text") { answer("401 Unauthorized", body: "bad token \($0)") },
        Place("page") { answer("403 No", body: "<html><title>bad token \($0)</title>") },
        Place("message") { answer("400 No", body: #"{"message":"bad token \#($0)"}"#) },
        Place("escaped message") { repeated in
            let escaped = repeated.replacing("/", with: "\\/").replacing("-", with: "\\u002d")
            return answer("404 No", body: #"{"code":7,"detail":"bad token \#(escaped)"}"#)
        },
        Place("twice a key") { answer("200 OK", body: #"{"\#($0)":1,"\#($0)":2}"#) },
        Place("key") { answer("200 OK", body: #"{"\#($0)":{"id":["\#($0)"]}}"#) },
        Place("value") {
            answer("200 OK", body: #"{"revision":"\#($0)","id":["\#($0)"],"a":{"a":"\#($0)"}}"#)
        },
        Place("price") { answer("200 OK", body: #"{"id":"1","price":"\#($0)"}"#) },
        Place("other product") { answer("200 OK", body: #"{"id":"1","ean":"\#($0)"}"#) },
        Place("redirect elsewhere") {
            answer("302 Found", ["Location: https://127.0.0.1:9/\($0.dropFirst(7))/p"])
        },
        Place("redirect's path") { repeated in
            let path = repeated.replacing(" ", with: "%20")
            return answer("307 Temporary Redirect", ["Location: /\(path)"], body: repeated)
        },
        Place("redirect's query") {
            answer("301 Moved", ["Location: http://127.0.0.1:9/?t=\($0.dropFirst(7))"])
        },
        Place("no HTTP") { "\($0)\r\n\r\n" },
        Place("broken off") { "HTTP/1.1 200 \($0)\r\nContent-Length: 5000\r\n\r\n\($0)" },
    ]

    /// Answers that contain the token near the lengths at which messages are cut.
    private static let cut =
        [59, 79, 119, 199, 399].map { length in
            Place("cut at \(length)") { repeated in
                let filling = String(repeating: "x", count: length - 24)
                return answer("400 No", body: #"{"message":"\#(filling) \#(repeated)"}"#)
            }
        } + [
            Place("cut again and again") { repeated in
                let all = Array(repeating: repeated, count: 30).joined(separator: " ")
                return answer("400 No", body: #"{"message":"\#(all)"}"#)
            }
        ]

    static let places = whole + cut

    private let folder: TemporaryFolder
    private let tokenFile: String

    init() throws {
        folder = try TemporaryFolder()
        tokenFile = try folder.write(Self.token, to: "token")
    }

    /// Runs a command with a service that repeats the token in `place`, and expects that it prints no part of it.
    private func expect(
        _ place: Place, exitCodes: ClosedRange<Int32> = 1...1,
        of arguments: @Sendable (StubServer) throws -> [String]
    ) async throws {
        try await expect(place, exitCodes: exitCodes) { server in
            try CommandRun(arguments: arguments(server))
        }
    }

    /// Calls `run` with a service that repeats the token in `place`, and expects that it prints no part of it.
    private func expect(
        _ place: Place, exitCodes: ClosedRange<Int32>,
        run: @Sendable (StubServer) throws -> CommandRun
    ) async throws {
        try await StubServer.run { connection in
            while let request = await connection.readRequest() {
                try await connection.write(place.answer(request["Authorization"] ?? ""))
                if place.name == "broken off" || place.name == "no HTTP" { return }
            }
        } _: { server in
            let run = try run(server)
            #expect(exitCodes.contains(run.exitCode), "\(run.exitCode): \(run.errors)")
            let sent = server.requests.compactMap { $0["Authorization"] }
            #expect(
                sent.contains("Bearer " + Self.token),
                "\(server.requests) \(run.output) \(run.errors)")
            for text in [run.output, run.errors] {
                #expect(!text.contains(Self.beginning), "\(text)")
                #expect(!text.contains("s3cr%2"), "\(text)")
            }
        }
    }

    @Test(.enabled(if: MockedInput.isAvailable, "umockdev is not installed"), arguments: places)
    func scanning(place: Place) async throws {
        let (events, said) = (folder.path("events"), folder.path("said"))
        // 4006381333931 and Enter; the first scan is rejected, because keys before it may have been missed.
        let code = [5, 11, 11, 7, 4, 9, 2, 4, 4, 4, 10, 4, 2, 28]
        let typed = MockedInput.taps(code + code)
        try await expect(place, exitCodes: 0...0) { server in
            let configuration = try configuration(server)
            let script = """
                $KEYWEDGE run --config \(configuration) > \(events) 2> \(said) &
                end_when \(events) 'keywedge.scan"' TERM
                cat \(events) \(said)
                """
            return try MockedInput([.scanner], typing: typed).run(script)
        }
    }

    private func configuration(_ server: StubServer) throws -> String {
        try folder.write(
            """
            scanners: [{name: default, idle_timeout: 60s}]
            catalog:
              deadline: 60s
              sources:
                - http:
                    name: shop
                    url: \(server.url)
                    attempts: 1
                    attempt_timeout: 60s
                    connect_timeout: 60s
                    auth: {bearer: {token_file: \(tokenFile)}}
                    request: {path: "/p/{code}"}
                    not_found: {status: 499}
                    product:
                      id: /id
                      name: /title
                      price: {amount: /price, currency: EUR}
                      codes: /ean
                      verify: /ean
            """, to: "keywedge.yaml")
    }

    @Test(arguments: places, [[], ["--explain"], ["--format", "pretty"]])
    func lookingUp(place: Place, options: [String]) async throws {
        try await expect(place, exitCodes: 0...1) { server in
            ["lookup", "4006381333931", "--config", try configuration(server)] + options
        }
    }

    @Test(arguments: places) func trying(place: Place) async throws {
        try await expect(place, exitCodes: 0...1) { server in
            ["catalog", "check", "--endpoint", "--known", "4006381333931"]
                + ["--config", try configuration(server)]
        }
    }

    @Test(arguments: places, ["json", "pretty", "tsv"])
    func replaying(place: Place, format: String) async throws {
        let recording = try folder.write("type \"4006381333931\\n\"\n", to: "scan.keys")
        try await expect(place, exitCodes: 0...0) { server in
            ["replay", recording, "--format", format, "--config", try configuration(server)]
        }
    }
}
