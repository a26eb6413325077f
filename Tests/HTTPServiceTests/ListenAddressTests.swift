import HTTPService
import Testing

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8690", "127.0.0.1", 8690, true), ("localhost:0", "localhost", 0, true),
        ("127.9.9.9:65535", "127.9.9.9", 65535, true), ("[::1]:80", "::1", 80, true),
        ("0.0.0.0:80", "0.0.0.0", 80, false), ("[::]:80", "::", 80, false),
        ("register-3.lan:80", "register-3.lan", 80, false),
        ("localhost.lan:80", "localhost.lan", 80, false),
        ("127.0.0.1.lan:1", "127.0.0.1.lan", 1, false),
        ("[fe80::1]:80", "fe80::1", 80, false),
    ])
    func anAddressHasAHostAndAPort(text: String, host: String, port: Int, isLoopback: Bool) throws {
        let address = try #require(ListenAddress(text))
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.isLoopback == isLoopback)
        #expect(address.description == text)
    }

    @Test(arguments: [
        "", ":80", "8690", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536",
        "127.0.0.1:-1", "127.0.0.1:+1", "127.0.0.1:٨", "::1:80", "[::1", "[::1]", "[x]:80",
        "a b:80", "http://a:80", "a/b:80", "a\u{0}:80",
    ])
    func whatIsNoneIsNone(text: String) { #expect(ListenAddress(text) == nil) }
}
