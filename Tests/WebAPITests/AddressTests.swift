import Testing
import WebAPI

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

    @Test(arguments: [
        ("", #""" is no address: expected http:// or https:// in front"#),
        (
            "api.example.com/x",
            #""api.example.com/x" is no address: expected http:// or https:// in front"#
        ),
        (
            "ftp://example.com",
            #""ftp://example.com" is no address: expected http or https, found "ftp""#
        ),
        ("https:///x", #""https:///x" is no address: expected a host after the scheme"#),
        (
            "https://mün.example",
            #""https://mün.example" is no address: expected a host of ASCII letters, digits, '-', "#
                + #"'_' and '.', or an IP address, found "mün.example""#
        ),
        (
            "https://a..b",
            #""https://a..b" is no address: expected a host of ASCII letters, digits, '-', '_' "#
                + #"and '.', or an IP address, found "a..b""#
        ),
        (
            "https://[127.0.0.1]/",
            #""https://[127.0.0.1]/" is no address: expected a host of ASCII letters, digits, "#
                + #"'-', '_' and '.', or an IP address, found "[127.0.0.1]""#
        ),
        (
            "https://user:pass@example.com/",
            "the URL is no address: expected no user name and no password in it; they belong "
                + "into a header"
        ),
        (
            "https://example.com:0/",
            #""https://example.com:0/" is no address: expected a port from 1 to 65535, found "0""#
        ),
        (
            "https://example.com:65536",
            #""https://example.com:65536" is no address: expected a port from 1 to 65535, "#
                + #"found "65536""#
        ),
        (
            "https://example.com:+80",
            #""https://example.com:+80" is no address: expected a port from 1 to 65535, "#
                + #"found "+80""#
        ),
        (
            "https://example.com:",
            #""https://example.com:" is no address: expected a port from 1 to 65535, found """#
        ),
        (
            "https://example.com/x?y=1",
            #""https://example.com/x?y=1" is no address: expected no query; it is given apart"#
        ),
        (
            "https://example.com/a b",
            #""https://example.com/a b" is no address: expected a percent-encoded character at "#
                + #"byte 2, found " ""#
        ),
        (
            "https://example.com/\r\nX: 1",
            #""https://example.com/\r\nX: 1" is no address: expected a percent-encoded "#
                + #"character at byte 1, found "\r""#
        ),
        (
            "https://example.com/%zz",
            #""https://example.com/%zz" is no address: expected two hexadecimal digits after the "#
                + "percent sign at byte 1"
        ),
        (
            "https://example.com/a/../b",
            #""https://example.com/a/../b" is no address: expected no segment '.' or '..', which "#
                + "servers resolve"
        ),
        (
            "https://example.com/a/%2e%2E",
            #""https://example.com/a/%2e%2E" is no address: expected no segment '.' or '..', "#
                + "which servers resolve"
        ),
    ])
    func whatIsNoneIsExplained(text: String, message: String) {
        let error = #expect(throws: AddressError.self) { try Address(text) }
        #expect(error?.description == message)
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
