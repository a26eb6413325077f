import Glibc

/// A port on loopback that answers no connection attempt, because its queue is full.
final class FullBacklog {
    let port: Int
    private var sockets: [CInt] = []

    /// Listens without ever accepting a connection, and fills the queue; nil if the system does not let it listen.
    ///
    /// - Parameter wanted: The port; 0 for any.
    init?(port wanted: Int = 0) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var isReused: CInt = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(4))
        var address = sockaddr_in()
        address.sin_port = in_port_t(wanted).bigEndian
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        sockets = [listener]
        guard listener >= 0, isListening else { return nil }
        for _ in 0..<8 {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            sockets.append(client)
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    _ = connect(client, $0, length)
                }
            }
        }
    }

    deinit {
        for socket in sockets { close(socket) }
    }
}
