import Glibc
package import WebAPI
package import WireText

/// An error that occurs if the daemon cannot be reached at a socket.
package struct DaemonUnreachable: Error, Equatable, CustomStringConvertible {
    package let socket: String
    /// The error from a second attempt to connect to the socket; nil if a program listens on it.
    package let obstacle: SystemCallError?
    package let error: ConnectionError

    /// Creates the error; connects to the socket again to obtain the system's error number.
    init(_ error: ConnectionError, at socket: String) {
        (self.error, self.socket) = (error, socket)
        obstacle = UnixSocket.obstacle(at: socket)
    }

    /// Whether this user lacks the permission to connect; if so, the daemon may nevertheless be running.
    package var isForbidden: Bool { obstacle?.errno == EACCES || obstacle?.errno == EPERM }

    /// The error as a sentence without a full stop.
    package var description: String {
        let place = socket.quoted(upTo: .max)
        return switch obstacle?.errno {
        case ENOENT: "the daemon does not run, or listens elsewhere: there is no socket \(place)"
        case ECONNREFUSED: "the daemon does not run: nothing listens at \(place)"
        case EACCES, EPERM: "this user may not connect to the daemon at \(place)"
        case _?: "the daemon cannot be reached at \(place): \(obstacle?.text ?? "")"
        case nil: "the daemon cannot be reached at \(place): \(error)"
        }
    }
}

enum UnixSocket {
    /// Returns why connecting to a socket fails; nil if a program listens on it.
    static func obstacle(at path: String) -> SystemCallError? {
        let probe = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0, var address = address(of: path) else {
            return SystemCallError(
                operation: "socket", path: path, errno: probe < 0 ? errno : ENAMETOOLONG)
        }
        defer { close(probe) }
        // EAGAIN means that the queue of a listening socket is full.
        guard call(connect, probe, &address) != 0, errno != EAGAIN else { return nil }
        return SystemCallError(operation: "connect to", path: path, errno: errno)
    }

    static func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32,
        _ address: inout sockaddr_un
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Returns the address of a socket; nil if the path has a null byte or more than 107 bytes.
    ///
    /// Linux allows 107 bytes; NIO's own socket addresses allow only 103.
    static func address(of path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count, !bytes.contains(0) else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        return fits ? address : nil
    }
}
