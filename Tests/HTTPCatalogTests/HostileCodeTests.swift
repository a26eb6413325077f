import Testing
import WebAPI
import WireText

@testable import HTTPCatalog

/// Whatever a scanner types, a request has the code in it and nothing else of it.
@Suite struct HostileCodeTests {
    @Test func hostileCodesArriveAsTheyAre() throws {
        let builder = RequestBuilder(declaration: try declaration(), userAgent: "test")
        var codes = HostileCodes()
        var wrong: [String] = []
        for _ in 0..<HostileCodes.count(usual: 5000) {
            let code = codes.next()
            if try !arrives(code, builder) { wrong.append(code) }
        }
        #expect(wrong.isEmpty)
    }

    private func declaration() throws -> HTTPCatalogDeclaration {
        HTTPCatalogDeclaration(
            name: "shop", url: "https://shop.example/api",
            request: RequestDeclaration(
                path: try PathTemplate("/p-{code}/x"),
                query: [.init("q", try Template("a{code}b"))],
                body: .graphQL(
                    try GraphQLTemplate("{ p(code: \"{code}\") { id } }"),
                    variables: .object([.init("code", .text(try Template("{code}")))]))),
            product: ProductMapping())
    }

    /// Reads the request the way servers do, each place by its own rules.
    private func arrives(_ code: String, _ builder: RequestBuilder) throws -> Bool {
        let request = try builder.request(builder.declaration.request, ["code": code])
        let segments = request.url.path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count == 4, segments[1] == "api", segments[3] == "x",
            HostileCodes.decoded(segments[2]).elementsEqual("p-\(code)".utf8)
        else { return false }
        guard request.queries.count == 1,
            let value = request.queries[0].encodedValue, isPlain(value),
            HostileCodes.decoded(value[...]).elementsEqual("a\(code)b".utf8)
        else { return false }
        guard let bytes = request.methodAndPayload.payload?.bytes,
            let body = try JSONReader.read(bytes).object, body.members.count == 2,
            let variables = body["variables"]?.object, variables.members.count == 1,
            variables["code"]?.string?.utf8.elementsEqual(code.utf8) == true,
            let document = body["query"]?.string
        else { return false }
        let head = "{ p(code: "
        let tail = ") { id } }"
        guard document.hasPrefix(head), document.hasSuffix(tail) else { return false }
        // A GraphQL text without block strings is a JSON text.
        let text = String(document.dropFirst(head.count).dropLast(tail.count))
        return try JSONReader.read(text).string?.utf8.elementsEqual(code.utf8) == true
    }

    private func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"&=#+/?".utf8.contains($0) }
    }
}
