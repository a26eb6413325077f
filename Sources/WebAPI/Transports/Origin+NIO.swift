import NIOCore

extension Origin {
    /// The host as the system's resolver wants it.
    var unbracketedHost: String {
        host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
    }

    /// The name a certificate must hold; `nil` for an address, which is matched with the peer's.
    var nameForTLS: String? {
        let isAddress = (try? SocketAddress(ipAddress: unbracketedHost, port: port)) != nil
        return isAddress ? nil : host
    }
}

extension SocketAddress {
    /// The address and port as text.
    var hostAndPort: String? {
        guard let ipAddress, let port else { return nil }
        return ipAddress.contains(":") ? "[\(ipAddress)]:\(port)" : "\(ipAddress):\(port)"
    }
}
