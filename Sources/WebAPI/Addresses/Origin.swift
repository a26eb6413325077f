import WireText

/// Scheme, host and port: where a server is, and the border that secrets never cross.
///
/// Rule: RFC 6454, section 4.
public struct Origin: Hashable, Sendable, CustomStringConvertible {
    /// How a server is spoken to.
    public enum Scheme: String, Hashable, Sendable {
        /// In clear text.
        case http
        /// Over TLS.
        case https

        /// The port where none is written.
        public var defaultPort: Int { self == .http ? 80 : 443 }
    }

    /// How the server is spoken to.
    public let scheme: Scheme
    /// A name in small letters, an IPv4 address, or an IPv6 address in brackets.
    public let host: String
    /// The port, 1–65535.
    public let port: Int

    /// The origin as URLs write it, the port only where it is not the scheme's own.
    public var description: String {
        var text = scheme.rawValue + "://" + host
        if port != scheme.defaultPort { text += ":" + String(port) }
        return text
    }
}

extension Origin {
    /// Reads host and port.
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

    /// Hexadecimal groups and colons; whether they make an address is for the system to say.
    private static func isIPv6(_ text: Substring) -> Bool {
        text.contains(":") && text.allSatisfy { $0.isASCII && $0.isHexDigit || ":.".contains($0) }
    }

    /// Letters, digits, `-`, `_` and single dots: what DNS and hosts files hold, and IPv4.
    ///
    /// Rule: RFC 1123, section 2.1; the underscore is used inside networks.
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
