import Glibc

package struct ListenAddress: Hashable, Sendable {
    /// A host name or an IP address; an IPv6 address is stored without brackets.
    package let host: String
    /// The port; 0 to let the system choose a free port.
    package let port: Int

    package static let standard = ListenAddress(host: "127.0.0.1", port: 8690)

    private init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// Parses a host and a port, such as `127.0.0.1:8690` or `[::1]:0`; nil for other text.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[colon...].dropFirst()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits)
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard LoopbackAddress.bytes(of: host)?.count == 16 else { return nil }
        } else {
            guard host.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil else { return nil }
        }
        self.init(host: host, port: Int(port))
    }

    package var isLoopback: Bool { LoopbackAddress.isOne(host) }

    /// The host to listen on: 127.0.0.1 instead of `localhost`, which could resolve to another address.
    package var boundHost: String { host.lowercased() == "localhost" ? "127.0.0.1" : host }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Rules for recognising addresses that only programs on the same machine can reach.
package enum LoopbackAddress {
    /// Whether a host is `localhost`, an address in 127.0.0.0/8, or ::1 (with or without brackets).
    ///
    /// Other host names are not looked up and never count as loopback.
    ///
    /// Rule: RFC 6761, section 6.3; RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3.
    package static func isOne(_ host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let bytes = bytes(of: isBracketed ? String(host.dropFirst().dropLast()) : host) ?? []
        return bytes.count == 4 && !isBracketed && bytes[0] == 127
            || bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// Returns the 4 or 16 bytes of an IP address; nil for other text.
    package static func bytes(of text: String) -> [UInt8]? {
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four, Array.init) }
        return inet_pton(AF_INET6, text, &six) == 1 ? withUnsafeBytes(of: six, Array.init) : nil
    }
}
