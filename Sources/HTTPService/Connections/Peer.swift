import NIOCore

#if canImport(Glibc)
    import Glibc
#else
    import Musl
#endif

/// Who is at the other end of a connection, as far as limits go.
///
/// It is the address; of IPv6 the network it is in (/64), since a host has all addresses of that.
/// On the link (fe80::/10) each address is one of its own, for all hosts share the network there.
/// An IPv4 address within IPv6 is itself.
///
/// Rule: RFC 4291, sections 2.5.4, 2.5.5.2 and 2.5.6.
struct Peer: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Takes the peer from an address; one without an address of IP is one peer with all such.
    init(_ address: SocketAddress?) {
        let text = address?.ipAddress ?? ""
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = Self.network(of: withUnsafeBytes(of: &six) { Array($0) })
        } else {
            bytes = []
        }
    }

    private static func network(of address: [UInt8]) -> [UInt8] {
        let isMapped = address[..<10].allSatisfy { $0 == 0 } && address[10...11] == [0xFF, 0xFF]
        if isMapped { return Array(address[12...]) }
        let isOnTheLink = address[0] == 0xFE && address[1] & 0xC0 == 0x80
        return isOnTheLink ? address : Array(address[..<8])
    }
}
