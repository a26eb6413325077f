import Testing
import WebAPI
import WireText

@testable import HTTPCatalog

@Suite struct TemplateTests {
    @Test func literalsAndPlaceholdersAreToldApart() throws {
        #expect(
            try Template("/a/{code}/{shop_1}{{x}}").parts == [
                .literal("/a/"), .placeholder("code"), .literal("/"), .placeholder("shop_1"),
                .literal("{x}"),
            ])
        #expect(try Template("").parts.isEmpty)
        #expect(try Template("{code}{code}").placeholders == ["code", "code"])
    }

    @Test(arguments: [
        ("a{code", TemplateError.openBrace(text: "a{code", at: 1)),
        ("a}b", .strayBrace(text: "a}b", at: 1)),
        ("{}", .noName(text: "{}", at: 0, found: "")),
        ("é{Code}", .noName(text: "é{Code}", at: 1, found: "Code")),
        ("{a b}", .noName(text: "{a b}", at: 0, found: "a b")),
    ])
    func aBraceOutOfPlaceIsNamed(text: String, error: TemplateError) {
        #expect(throws: error) { try Template(text) }
    }

    @Test func theErrorIsOneSentence() {
        #expect(
            "\(TemplateError.openBrace(text: "a{code", at: 1))"
                == "The template \"a{code\" opens a brace at character 1 and never closes it; "
                + "expected {code}, or {{ for a brace.")
    }

    @Test func aPathNeedsASlashAndNoQuery() throws {
        #expect(throws: TemplateError.noSlash(text: "products/{code}")) {
            try PathTemplate("products/{code}")
        }
        for text in ["/p?code={code}", "/a b", "/p#x", "/ü", "/../{code}", "/%2E%2e/{code}"] {
            #expect(throws: TemplateError.self) { try PathTemplate(text) }
        }
        #expect(try PathTemplate("/p;v=1/{code}.json").template.placeholders == ["code"])
    }

    @Test(arguments: [
        ("4006381333931", "/p/4006381333931.json"), ("a/b", "/p/a%2Fb.json"),
        ("..", "/p/...json"), ("%2e", "/p/%252e.json"), ("?x=1#y", "/p/%3Fx%3D1%23y.json"),
        ("é\u{0}\r\n", "/p/%C3%A9%00%0D%0A.json"), ("😀", "/p/%F0%9F%98%80.json"),
    ])
    func aCodeStaysInItsSegment(code: String, path: String) throws {
        let request = try address(PathTemplate("/p/{code}.json"), code)
        #expect(request == path)
    }

    @Test(arguments: [".", ".."])
    func aCodeThatIsAStepInAPathIsNotAsked(code: String) throws {
        #expect(throws: RequestBuilder.Problem.unaskable) {
            try address(PathTemplate("/p/{code}"), code)
        }
    }

    private func address(_ path: PathTemplate, _ code: String) throws -> String {
        let declaration = HTTPCatalogDeclaration(
            name: "shop", url: "https://shop.example", request: RequestDeclaration(path: path),
            product: ProductMapping())
        return try RequestBuilder(declaration: declaration, userAgent: "test")
            .request(declaration.request, ["code": code]).url.path
    }

    @Test func aHeaderHasNoLineBreaks() throws {
        #expect(throws: TemplateError.notInHeader(text: "a\nb", found: "\n")) {
            try HeaderTemplate("a\nb")
        }
        #expect(throws: TemplateError.notInHeader(text: " a", found: " ")) {
            try HeaderTemplate(" a")
        }
        let template = try HeaderTemplate("code {code}")
        #expect(template.rendered(["code": "12 3"]) == "code 12 3")
        for code in ["1\r\nX: y", "1\u{0}", "é", "1 ", "\u{85}"] {
            #expect(template.rendered(["code": code]) == nil)
        }
    }

    @Test func aJSONBodyKeepsItsShape() throws {
        let template = JSONTemplate.object([
            .init("domain", .array([.text(try Template("{code}")), .bool(true), .null])),
            .init("limit", .number(try #require(JSONNumber("2")))),
        ])
        let value = template.rendered(["code": "\"}],\"x\":1,\"y\":\"\\"])
        #expect(
            JSONWriter.text(of: value)
                == #"{"domain":["\"}],\"x\":1,\"y\":\"\\",true,null],"limit":2}"#)
    }

    @Test func aGraphQLDocumentTakesValuesInTextsAlone() throws {
        let document =
            "query { product(code: \"x-{code}\") { id {code} } } # \"{code}\"\n\"\"\"b\"\"\""
        let template = try GraphQLTemplate(document)
        #expect(template.placeholders == ["code"])
        #expect(
            template.rendered(["code": "\"\\\n{"])
                == "query { product(code: \"x-\\\"\\\\\\u000a{\") { id {code} } } # \"{code}\"\n"
                + "\"\"\"b\"\"\"")
        #expect(throws: TemplateError.outsideText(text: "\"\"\"{code}\"\"\"", name: "code")) {
            try GraphQLTemplate("\"\"\"{code}\"\"\"")
        }
        #expect(throws: TemplateError.openText(text: "a \"b\nc\"", at: 2)) {
            try GraphQLTemplate("a \"b\nc\"")
        }
        #expect(throws: TemplateError.openText(text: "\"\"\"\\\"\"\"", at: 0)) {
            try GraphQLTemplate("\"\"\"\\\"\"\"")
        }
    }

    // MARK: Encodings

    @Test func aValueIsEncodedAheadOfWhatItsPlaceAsksFor() throws {
        let values = ["code": "a\"/ü"]
        #expect(try Template("x{code|base64}").rendered(values) == "xYSIvw7w=")
        #expect(
            try Template(#"{{"q":"{code|json}"}}"#).rendered(values) == #"{"q":"a\"/ü"}"#)
        let path = try PathTemplate("/q/{code|base64}").rendered(["code": "???"])
        #expect(try Address(Shop.url).appending(path).path == "/q/Pz8%2F")
        #expect(try HeaderTemplate("{code|base64}").rendered(values) == "YSIvw7w=")
        #expect(
            try GraphQLTemplate(#"{p(q: "{code|base64}")}"#).rendered(values)
                == #"{p(q: "YSIvw7w=")}"#)
        #expect(try Template("{code|base64}{code}").placeholders == ["code", "code"])
    }

    @Test func anEncodingThatIsNoneIsNamed() {
        #expect(throws: TemplateError.noEncoding(text: "a{code|rot13}", at: 1, found: "rot13")) {
            try Template("a{code|rot13}")
        }
        #expect(
            "\(TemplateError.noEncoding(text: "a{code|rot13}", at: 1, found: "rot13"))"
                == #"The template "a{code|rot13}" encodes a placeholder as "rot13" at character 1; "#
                + "expected base64 or json, as in {code|base64}.")
        #expect(throws: TemplateError.noName(text: "{|json}", at: 0, found: "|json")) {
            try Template("{|json}")
        }
    }
}
