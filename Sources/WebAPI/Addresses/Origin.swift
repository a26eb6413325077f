import WireText

/// The scheme, host and port of a server.
///
/// When a client follows a redirect to another origin, it does not send the original header fields.
///
/// Rule: RFC 6454, section 4.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// A supported URL scheme.
    public enum Scheme: String, Hashable, Sendable {
        case http
        case https

        /// The port to use if a URL has none: 80 for `http`, 443 for `https`.
        public var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// The protocol: HTTP or HTTPS.
    public let scheme: Scheme
    /// The host: a name in lower case, an IPv4 address, or an IPv6 address in brackets.
    public let host: String
    /// The port, from 1 to 65535; the scheme's default if the URL has none.
    public let port: Int

    /// The origin as written in URLs; the scheme's default port is left out.
    public var description: String {
        var text = scheme.rawValue + "://" + host
        if port != scheme.defaultPort { text += ":" + String(port) }
        return text
    }
}

extension Origin {
    /// Parses an authority such as `example.com:8080`; `text` is the whole URL, for error messages.
    init(
        scheme: Scheme, authority: Substring, of text: String
    ) throws(AddressError) {
        guard !authority.contains("@") else { throw AddressError(.userInformation, in: text) }
        let host: Substring
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = authority[...end]
        } else {
            host = authority.prefix { $0 != ":" }
        }
        guard !host.isEmpty else { throw AddressError(.noHost, in: text) }
        guard Self.isHost(host) else { throw AddressError(.host(String(host)), in: text) }
        self.scheme = scheme
        self.host = host.lowercased()
        let rest = authority[host.endIndex...]
        guard !rest.isEmpty else {
            port = scheme.defaultPort
            return
        }
        guard rest.hasPrefix(":"), rest.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(rest.dropFirst()), (1...65535).contains(port)
        else { throw AddressError(.port(String(rest.drop { $0 == ":" })), in: text) }
        self.port = port
    }

    private static func isHost(_ host: Substring) -> Bool {
        host.hasPrefix("[") ? isIPv6(host.dropFirst().dropLast()) : isName(host)
    }

    /// Whether text looks like an IPv6 address: hexadecimal digits, dots and at least one colon.
    private static func isIPv6(_ text: Substring) -> Bool {
        text.contains(":") && text.allSatisfy { $0.isASCII && $0.isHexDigit || ":.".contains($0) }
    }

    /// Whether text is a host name or an IPv4 address: letters, digits, `-`, `_` and single dots.
    ///
    /// Rule: RFC 1123, section 2.1. Underscores are allowed, too, because internal networks use them.
    private static func isName(_ text: Substring) -> Bool {
        guard text.utf8.count <= 253 else { return false }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.enumerated().allSatisfy { index, label in
            (!label.isEmpty || (index == labels.count - 1 && index > 0)) && label.utf8.count <= 63
                && label.utf8.allSatisfy {
                    PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~")
                }
        }
    }
}
