import Testing
import WebAPI

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
        ("a{code", "opens a brace at character 1"), ("a}b", "closes a brace at character 1"),
        ("{}", "\"\" in braces at character 0"), ("é{Code}", "\"Code\" in braces at character 1"),
        ("{a b}", "\"a b\" in braces at character 0"),
        ("{code|json}", "\"code|json\" in braces at character 0"),
    ])
    func aBraceOutOfPlaceIsNamed(text: String, words: String) throws {
        let error = try #require(throws: TemplateError.self) { try Template(text) }
        #expect(error.description.contains(text.quoted()))
        #expect(error.description.contains(words))
    }

    @Test func aPathNeedsASlashAndNoQuery() throws {
        for text in [
            "products/{code}", "/p?code={code}", "/a b", "/p#x", "/ü", "/../{code}",
            "/%2E%2e/{code}",
        ] {
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
        #expect(try address(PathTemplate("/p/{code}"), code) == nil)
    }

    private func address(_ path: PathTemplate, _ code: String) throws -> String? {
        let declaration = HTTPCatalogDeclaration(
            name: "shop", url: "https://shop.example", request: RequestDeclaration(path: path))
        return try RequestBuilder(declaration, userAgent: "test")
            .request(declaration.request, ["code": code])?.url.path
    }

    @Test func aHeaderHasNoLineBreaks() throws {
        for text in ["a\nb", " a", "{code}\t", "é"] {
            #expect(throws: TemplateError.self) { try HeaderTemplate(text) }
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
}
