import Glibc

/// The sockets that the service manager made before the daemon, so that clients can wait in them.
package struct HandedOverSockets: Sendable {
    /// The descriptors.
    private let descriptors: [Int32]

    /// Takes what the service manager has handed over.
    ///
    /// - Parameter descriptors: Sockets and FIFOs.
    package init(_ descriptors: [Int32]) { self.descriptors = descriptors }

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
