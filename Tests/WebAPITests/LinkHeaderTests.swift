import HTTPTypes
import Testing

@testable import WebAPI

@Suite struct LinkHeaderTests {
    private func links(_ values: String...) throws -> LinkHeader {
        let name = try #require(HTTPField.Name("Link"))
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: name, value: value)) }
        return LinkHeader(fields)
    }

    @Test func linksAreFoundByTheirRelation() throws {
        let links = try links(
            #"<https://a.example/x?page=2>; rel="next", <https://a.example/x?page=5>; rel="last""#)
        #expect(links["next"] == "https://a.example/x?page=2")
        #expect(links["last"] == "https://a.example/x?page=5")
        #expect(links["prev"] == nil)
    }

    @Test(
        arguments: [
            (#"<a,b;c>; title="x, y; rel=\"no\""; REL=Next"#, "a,b;c"),
            ("<a>;rel=prev,<b>;rel=\"up NEXT\"", "b"), ("<a>; rel = \"next\"", "a"),
            ("<a>;rel=next;rel=prev", "a"), ("<a> ; foo ; rel=next", "a"), ("<>;rel=next", ""),
            ("a;rel=next", nil), ("<a;rel=next", nil), ("<a>", nil), ("<a>;rel", nil), ("", nil),
            ("<a>;rel=\"next", "a"), ("<a>;title=\"rel=next", nil), ("<a>;rel=prev;rel=next", nil),
        ] as [(String, String?)])
    func oddHeadersAreReadAsTheRuleSays(value: String, target: String?) throws {
        #expect(try links(value)["next"] == target)
    }

    @Test func severalHeadersAreOneList() throws {
        let links = try links("<a>;rel=prev", "<b>;rel=next")
        #expect(links["prev"] == "a" && links["next"] == "b")
    }
}
