import Foundation
import KeywedgeTestKit
import Testing
import WebAPI

/// Tests that the Swift code on the pages for developers compiles, and does what the pages say.
@Suite struct DocumentedSnippetsTests {
    private static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    @Test(arguments: [
        ("docs/webapi.md", ["WebAPISnippets"]), ("docs/libraries.md", ["LibrariesSnippets"]),
    ])
    func everySnippetIsCompiledHere(page: String, files: [String]) throws {
        let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
        let blocks = text.components(separatedBy: "```swift\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
            // A package manifest cannot be compiled as part of a test.
            .filter { !$0.contains("import PackageDescription") }
        #expect(!blocks.isEmpty)
        let compiled = try files.flatMap {
            lines(
                try String(
                    contentsOf: Self.root.appending(path: "Tests/ExamplesTests/\($0).swift"),
                    encoding: .utf8))
        }
        // The compiled file has its imports at the top, and may have the parts between blank lines in other places.
        for part in blocks.flatMap({ $0.split(separator: "\n\n") }) {
            let code = lines(String(part))
            let imports = code.prefix { $0.hasPrefix("import ") }
            let rest = code.dropFirst(imports.count)
            let isCompiled = compiled.indices.contains { compiled[$0...].starts(with: rest) }
            #expect(
                isCompiled && imports.allSatisfy { compiled.contains($0) },
                "\(page) has Swift that is not compiled: \(part)")
        }
    }

    private func answer(_ text: String, status: Int = 200) -> StubTransport {
        StubTransport([
            .response(Response(status: .init(code: status), payload: Array(text.utf8)))
        ])
    }

    @Test func aPlainGetIsFiveLines() async throws {
        #expect(try await plainGet(over: answer(#"{"login":"octocat"}"#)).login == "octocat")
        #expect(try await withoutAnEndpoint(over: answer("[1]")) == [1])
    }

    @Test func anIssueIsPostedWithItsToken() async throws {
        let issue = NewIssue(repository: "x", issue: .init(title: "é", labels: []))
        let transport = answer(#"{"number":7}"#, status: 201)
        var client = APIClient(
            baseURL: "https://api.github.com", transport: transport,
            interceptors: [authorized { "t" }])
        #expect(try await number(of: issue, by: client) == 7)
        let sent = try #require(transport.requests.first)
        #expect(sent.description == "POST https://api.github.com/repos/octocat/x/issues")
        #expect(sent.methodAndPayload.payload?.bytes == Array(#"{"labels":[],"title":"é"}"#.utf8))
        #expect(sent.headers[.authorization] == "Bearer t")
        client.transport = answer(#"{"code":"taken","field":"title"}"#, status: 422)
        await #expect(throws: CallError.self) { try await number(of: issue, by: client) }
        client.interceptors = [authorized { nil }]
        let error = await #expect(throws: CallError.self) { try await client.send(issue) }
        #expect(error?.reasonText.hasSuffix(": there is no token") == true)
    }

    @Test func aListOfPricesIsParsed() async throws {
        var shop = APIClient(baseURL: "https://shop.example", transport: answer("a;1.10\nb;2\n"))
        #expect(try await shop.send(Prices()) == ["a": Decimal(string: "1.1"), "b": 2])
        shop.transport = answer("a")
        await #expect(throws: CallError.self) { try await shop.send(Prices()) }
    }

    @Test func listsAndStreamsAreRead() async throws {
        let list = answer(#"{"items":[{"login":"a"}],"total_count":1}"#)
        try await logins("x", by: APIClient(baseURL: "https://api.github.com", transport: list))
        #expect(
            list.requests.map(\.location.description) == ["https://api.github.com/search/users?q=x"]
        )
        try await follow(APIClient(baseURL: "https://shop.example", transport: answer("x")))
        try await aServiceOfTheTestsOwn()
    }
}
