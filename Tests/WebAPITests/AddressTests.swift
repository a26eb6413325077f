import Testing
import WebAPI
import WireText

@Suite struct AddressTests {
    @Test(
        arguments: [
            ("https://api.example.com", "https://api.example.com/"),
            ("HTTP://API.Example.COM:80/V2/", "http://api.example.com/V2/"),
            ("https://api.example.com:8443/v2", "https://api.example.com:8443/v2"),
            ("http://127.0.0.1:8080/a%2Fb;x=1/@:!$&'()*+,=", nil),
            ("http://[::1]:8080/x", nil), ("http://shop_1.local./x", nil),
            ("https://xn--mnchen-3ya.example/", nil),
        ] as [(String, String?)])
    func anAddressIsReadAsItIs(text: String, expected: String?) throws {
        #expect(try Address(text).description == expected ?? text)
    }

    private static let host = "a host of ASCII letters, digits, '-', '_' and '.', or an IP address"
    private static let dots = "no segment '.' or '..', which servers resolve"

    @Test(arguments: [
        ("", "http:// or https:// in front"),
        ("api.example.com/x", "http:// or https:// in front"),
        ("ftp://example.com", #"http or https, found "ftp""#),
        ("https:///x", "a host after the scheme"),
        ("https://mün.example", #"\#(host), found "mün.example""#),
        ("https://a..b", #"\#(host), found "a..b""#),
        ("https://[127.0.0.1]/", #"\#(host), found "[127.0.0.1]""#),
        ("https://example.com:0/", #"a port from 1 to 65535, found "0""#),
        ("https://example.com:65536", #"a port from 1 to 65535, found "65536""#),
        ("https://example.com:+80", #"a port from 1 to 65535, found "+80""#),
        ("https://example.com:", #"a port from 1 to 65535, found """#),
        ("https://example.com/x?y=1", "no query; pass it separately"),
        ("https://example.com/a b", #"a percent-encoded character at byte 2, found " ""#),
        ("https://example.com/\r\nX: 1", #"a percent-encoded character at byte 1, found "\r""#),
        (
            "https://example.com/%zz",
            "two hexadecimal digits after the percent sign at byte 1"
        ),
        ("https://example.com/a/../b", dots), ("https://example.com/a/%2e%2E", dots),
    ])
    func whatIsNoneIsExplained(text: String, expected: String) {
        let error = #expect(throws: AddressError.self) { try Address(text) }
        #expect(
            error?.description
                == "\(text.quoted(upTo: 120)) is not an address: expected \(expected)")
    }

    @Test func anAddressWithAPasswordIsNotShown() throws {
        let error = #expect(throws: AddressError.self) {
            try Address("https://user:pass@example.com/")
        }
        let sentence = try #require(error?.description)
        #expect(sentence.contains("password") && sentence.contains("header"))
        for secret in ["user:", "pass@", "example.com"] { #expect(!sentence.contains(secret)) }
    }

    @Test(arguments: [
        ("5901234123457", "/v2/5901234123457"), ("a/b", "/v2/a%2Fb"),
        ("../x", "/v2/..%2Fx"), ("ü", "/v2/%C3%BC"), ("\u{0}\n", "/v2/%00%0A"),
        ("?#%&=+", "/v2/%3F%23%25%26%3D%2B"), ("-._~", "/v2/-._~"), ("...", "/v2/..."),
    ])
    func aSegmentCannotLeaveItsPlace(segment: String, path: String) throws {
        let address = try Address("https://example.com/v2")
        #expect(try address.appending(segment: segment).path == path)
        #expect(
            try Address("https://example.com/v2/").appending(segment: segment).path == path)
    }

    @Test(arguments: ["", ".", ".."])
    func aSegmentThatMeansAnotherPlaceIsRefused(segment: String) throws {
        let address = try Address("https://example.com/v2")
        #expect(throws: AddressError.self) { try address.appending(segment: segment) }
        #expect(throws: AddressError.self) { try address.appending("/x/\(segment)/y") }
    }

    @Test func aPathTakesDataOneSegmentAtATime() throws {
        let address = try Address("https://example.com/v2")
        let (login, number) = ("a/b c", 7)
        #expect(
            try address.appending("/users/\(login)/repos/\(number).json").path
                == "/v2/users/a%2Fb%20c/repos/7.json")
        #expect(try address.appending("users").path == "/v2/users")
        #expect(try address.appending(.empty).path == "/v2")
        #expect(try address.appending(Path(encoded: "/a%2Fb")).path == "/v2/a%2Fb")
        #expect(throws: AddressError.self) { try address.appending("/a?b=c") }
        #expect(throws: AddressError.self) { try Path(encoded: "/a b") }
    }

    @Test func originsDifferBySchemeHostOrPort() throws {
        let origin = try Address("https://example.com/a").origin
        #expect(try Address("https://EXAMPLE.com:443/b").origin == origin)
        #expect(try Address("http://example.com/a").origin != origin)
        #expect(try Address("https://example.com:444/a").origin != origin)
        #expect(try Address("https://www.example.com/a").origin != origin)
    }
}

@Suite struct LocationTests {
    /// Examples from RFC 3986, section 5.4, and one URL with another scheme.
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
