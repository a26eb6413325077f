/// Scheme, host and port: where a server is, and the border that secrets never cross.
///
/// Rule: RFC 6454, section 4.
public struct Origin: Hashable, Sendable {
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
}

extension Origin: CustomStringConvertible {
    /// The origin as URLs write it, the port only where it is not the scheme's own.
    public var description: String {
        var text = scheme.rawValue + "://" + host
        if port != scheme.defaultPort { text += ":" + String(port) }
        return text
    }
}
