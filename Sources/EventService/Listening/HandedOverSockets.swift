import Glibc

/// The sockets that the service manager made before the daemon, so that clients can wait in them.
///
/// Protocol: sd_listen_fds(3).
package struct HandedOverSockets: Sendable {
    /// The first descriptor that is handed over.
    private static let first: Int32 = 3

    /// The descriptors.
    package let descriptors: [Int32]

    /// Reads what the service manager has put into the environment, once.
    ///
    /// - Parameter environment: The value of an environment variable, or nil.
    package init(environment: (String) -> String?) {
        guard environment("LISTEN_PID") == String(getpid()),
            let count = environment("LISTEN_FDS").flatMap(Int32.init), (1...64).contains(count)
        else {
            descriptors = []
            return
        }
        descriptors = Array(Self.first..<Self.first + count)
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }

    /// Those among them that clients connect to; a FIFO is none.
    private var listening: [Int32] {
        descriptors.filter { Self.option(SO_ACCEPTCONN, of: $0) == 1 }
    }

    /// Whether clients connect to one of them.
    package var haveClients: Bool { !listening.isEmpty }

    /// The one unix socket among them; nil where there is none.
    ///
    /// A FIFO may be beside it, for standard output.
    ///
    /// - Throws: ``EventServerError/unusableHandover(_:)``.
    func unixSocket() throws(EventServerError) -> UnixSocket? {
        let listening = listening
        guard let descriptor = listening.first else { return nil }
        guard listening.count == 1, Self.option(SO_DOMAIN, of: descriptor) == AF_UNIX else {
            throw .unusableHandover(listening.count)
        }
        return UnixSocket(handedOver: descriptor)
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }
}
