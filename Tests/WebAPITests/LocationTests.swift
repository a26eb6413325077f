import Testing
import WebAPI

@Suite struct LocationTests {
    /// The examples of RFC 3986, section 5.4, as far as they are http.
    @Test(arguments: [
        ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"),
        ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q"), ("g#s", "http://a/b/c/g"),
        (";x", "http://a/b/c/;x"), ("g;x?y#s", "http://a/b/c/g;x?y"), ("", "http://a/b/c/d;p?q"),
        (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g..", "http://a/b/c/g.."),
        ("./../g", "http://a/b/g"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("https://g/x?y=z", "https://g/x?y=z"), ("g?y/../x", "http://a/b/c/g?y/../x"),
    ])
    func aReferenceIsResolved(reference: String, expected: String) throws {
        let base = try Location("http://a/b/c/d;p?q")
        #expect(try base.resolving(reference).description == expected)
    }

    @Test(arguments: ["javascript:alert(1)", "http://user@b/", "/%2e%2e/x", "/a b", "//:80/"])
    func aReferenceThatLeadsNowhereIsAnError(reference: String) throws {
        let base = try Location("http://a/b")
        #expect(throws: AddressError.self) { try base.resolving(reference) }
    }

    @Test func aQueryIsKeptAsItWas() throws {
        let location = try Location("http://a/?q=a+b&c=%2f&&d&e=f=g")
        #expect(location.queries.map(\.encodedName) == ["q", "c", "d", "e"])
        #expect(location.queries.map(\.encodedValue) == ["a+b", "%2f", nil, "f=g"])
        #expect(location.queries.map(\.value) == ["a+b", "/", nil, "f=g"])
        #expect(Query("a b", "ü&=").description == "a%20b=%C3%BC%26%3D")
        #expect(throws: AddressError.self) { try Location("http://a/?q=<x>") }
    }
}
