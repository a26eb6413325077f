import Glibc

/// Where the service listens.
package struct ListenAddress: Hashable, Sendable {
    /// A name or an address, one of IPv6 without brackets.
    package let host: String
    /// The port; 0 for any that is free.
    package let port: Int

    /// Where the service listens by default.
    package static let standard = ListenAddress(host: "127.0.0.1", port: 8690)

    private init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// Reads an address such as `127.0.0.1:8690`, `[::1]:0` or `register-3.lan:8690`; nil for other text.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[colon...].dropFirst()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(digits)
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard Self.isIPv6(host) else { return nil }
        } else {
            guard host.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil else { return nil }
        }
        self.init(host: host, port: Int(port))
    }

    /// Whether nobody outside the box can reach it.
    package var isLoopback: Bool { LoopbackAddress.isOne(host) }

    /// The host to bind: `localhost` is a name, which could lead elsewhere.
    package var boundHost: String {
        isLoopback && host.lowercased() == "localhost" ? "127.0.0.1" : host
    }

    private static func isIPv6(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The addresses that only programs on the same box reach.
package enum LoopbackAddress {
    /// Whether a host is `localhost`, in 127.0.0.0/8, or ::1, also in brackets; other names are not,
    /// whatever they resolve to.
    ///
    /// Rule: RFC 6761, section 6.3; RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3.
    package static func isOne(_ host: String) -> Bool {
        if host.lowercased() == "localhost" { return true }
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 {
            return UInt32(bigEndian: four.s_addr) >> 24 == 127
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let address = isBracketed ? String(host.dropFirst().dropLast()) : host
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return false }
        return withUnsafeBytes(of: &six) { Array($0) } == [UInt8](repeating: 0, count: 15) + [1]
    }
}
