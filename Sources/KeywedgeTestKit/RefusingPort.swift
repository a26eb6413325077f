import Glibc

/// A port on loopback at which every connection is refused.
///
/// It is taken, and nobody listens. The port of a server that was there before would be anybody's:
/// the next server of another test may get it.
public final class RefusingPort: Sendable {
    /// The system has no port, or loopback cannot be used.
    public struct NoPort: Error {}

    /// The port.
    public let port: Int

    private let descriptor: CInt

    /// Takes a port.
    ///
    /// - Throws: ``NoPort``.
    public init() throws(NoPort) {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isTaken = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isTaken else { throw NoPort() }
    }

    deinit { close(descriptor) }

    /// The URL of a server that would be there, without a path, as `http://127.0.0.1:49152`.
    public var url: String { "http://127.0.0.1:\(port)" }
}
