import Glibc
import NIOPosix

/// Which addresses are not on the Internet: this machine's own, and those of the networks around it.
enum PrivateNetwork {
    /// Whether a host is such an address, or a name of one.
    static func contains(_ origin: Origin) async -> Bool {
        let host = origin.unbracketedHost
        let found = try? await NIOThreadPool.singleton.runIfActive { Self.addresses(of: host) }
        return found?.contains { Self.contains($0) } ?? false
    }

    /// Whether an address of 4 or 16 bytes is one.
    ///
    /// Rule: IANA, "Special-Purpose Address Registry" for IPv4 and IPv6; multicast.
    static func contains(_ address: [UInt8]) -> Bool {
        guard address.count == 16 else { return containsIPv4(address) }
        let zeros = address.prefix { $0 == 0 }.count
        switch (address[0], address[1]) {
        // Unique local (RFC 4193), link-local, multicast.
        case (0xFC...0xFD, _), (0xFE, 0x80...0xBF), (0xFF, _): return true
        // 6to4 and NAT64 hold an address of IPv4.
        case (0x20, 0x02): return containsIPv4(Array(address[2..<6]))
        case (0x00, 0x64): return containsIPv4(Array(address[12...]))
        // Loopback, unspecified, and an address of IPv4, mapped or not.
        default:
            let isMapped = zeros == 10 && address[10...11] == [0xFF, 0xFF]
            return zeros >= 15 || (isMapped || zeros >= 12) && containsIPv4(Array(address[12...]))
        }
    }

    private static func containsIPv4(_ address: [UInt8]) -> Bool {
        guard address.count == 4 else { return false }
        return switch (address[0], address[1]) {
        case (0, _), (10, _), (127, _), (224...255, _), (100, 64...127), (169, 254), (172, 16...31),
            (192, 168), (198, 18...19):
            true
        case (192, 0): address[2] == 0
        default: false
        }
    }

    private static func addresses(of host: String) -> [[UInt8]] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0, let first else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first, next: \.pointee.ai_next).compactMap { bytes(of: $0.pointee) }
    }

    private static func bytes(of information: addrinfo) -> [UInt8]? {
        guard let pointer = UnsafeRawPointer(information.ai_addr) else { return nil }
        switch information.ai_family {
        case AF_INET:
            let address = pointer.loadUnaligned(as: sockaddr_in.self).sin_addr
            return withUnsafeBytes(of: address) { Array($0) }
        case AF_INET6:
            let address = pointer.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return withUnsafeBytes(of: address) { Array($0) }
        default: return nil
        }
    }
}
