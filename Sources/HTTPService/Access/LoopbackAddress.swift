#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// The addresses that only programs on the same box reach.
package enum LoopbackAddress {
    /// Whether a host is one of them.
    ///
    /// - Parameter host: A name or an address, one of IPv6 also in brackets.
    /// - Returns: True for `localhost`, 127.0.0.0/8 and ::1; other names are none, wherever they lead.
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
