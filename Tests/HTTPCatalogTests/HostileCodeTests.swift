import Testing
import WebAPI
import WireText

@testable import HTTPCatalog

/// Whatever a scanner types, a request has the code in it and nothing else of it.
@Suite struct HostileCodeTests {
    @Test func hostileCodesArriveAsTheyAre() throws {
        let declaration = try declaration()
        let builder = RequestBuilder(declaration, userAgent: "test")
        var codes = HostileCodes()
        var wrong: [String] = []
        for _ in 0..<HostileCodes.count(usual: 5000) {
            let code = codes.next()
            if try !arrives(code, declaration.request, builder) { wrong.append(code) }
        }
        #expect(wrong.isEmpty)
    }

    private static let document = "query ($code: String!) { p(code: $code) { id, x: \"{code}\" } }"

    private func declaration() throws -> HTTPCatalogDeclaration {
        var request = RequestDeclaration(path: try PathTemplate("/p-{code}/x"))
        request.query = [.init("q", try Template("a{code}b"))]
        request.body = .graphQL(
            Self.document, variables: .object([.init("code", .text(try Template("{code}")))]))
        return HTTPCatalogDeclaration(
            name: "shop", url: "https://shop.example/api", request: request)
    }

    /// Reads the request the way servers do, each place by its own rules.
    private func arrives(
        _ code: String, _ declared: RequestDeclaration, _ builder: RequestBuilder
    ) throws -> Bool {
        let request = try builder.request(declared, ["code": code])
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
            variables["code"]?.string?.utf8.elementsEqual(code.utf8) == true
        else { return false }
        return body["query"]?.string == Self.document
    }

    private func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"&=#+/?".utf8.contains($0) }
    }
}
