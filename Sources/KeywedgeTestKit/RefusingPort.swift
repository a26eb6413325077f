import Glibc

/// A loopback port that refuses every connection.
///
/// Nothing listens on the port, but it is bound, which keeps servers of other tests off it.
public final class RefusingPort: Sendable {
    /// The error thrown if the system has no free port, or if the loopback interface is not available.
    public struct NoPort: Error {}

    /// The number of the port on 127.0.0.1, which stays bound until this object is deallocated.
    public let port: Int

    private let descriptor: CInt

    /// Binds a free port, or throws ``NoPort``.
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

    /// The port's URL without a path, such as `http://127.0.0.1:49152`.
    public var url: String { "http://127.0.0.1:\(port)" }
}
