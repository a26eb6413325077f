import WireText

extension Origin {
    /// Reads host and port.
    ///
    /// - Parameters:
    ///   - scheme: The scheme, known already.
    ///   - authority: What stands between `//` and the path.
    ///   - text: The whole URL, for the error.
    /// - Throws: ``AddressError``.
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
        text.contains(":")
            && text.utf8.allSatisfy { byte in
                (0x30...0x3A).contains(byte) || (0x61...0x66).contains(byte | 0x20)
                    || byte == UInt8(ascii: ".")
            }
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
