import Glibc
import NIOCore
package import WebAPI
package import WireText

/// No daemon answers at a socket; contains the most exact reason that the system reports.
package struct DaemonUnreachable: Error, Equatable, CustomStringConvertible {
    package let socket: String
    /// Why connecting to the socket fails; nil if it succeeds and the exchange failed later.
    package let obstacle: SystemCallError?
    package let error: ConnectionError

    /// Connects once more, because the error of a request does not carry the system's error number.
    init(_ error: ConnectionError, at socket: String) {
        self.error = error
        self.socket = socket
        obstacle = UnixSocket.obstacle(at: socket)
    }

    /// Whether this user lacks permission to connect; the daemon may well be running.
    package var isForbidden: Bool { obstacle?.errno == EACCES || obstacle?.errno == EPERM }

    /// One sentence without a full stop.
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

/// Connections to unix sockets.
enum UnixSocket {
    /// Why connecting to a socket fails; nil if a daemon listens there.
    static func obstacle(at path: String) -> SystemCallError? {
        let probe = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0, let address = address(of: path) else {
            return SystemCallError(
                operation: "socket", path: path, errno: probe < 0 ? errno : ENAMETOOLONG)
        }
        defer { close(probe) }
        // EAGAIN means that the queue of a listening socket is full.
        let result = address.withSockAddr { connect(probe, $0, socklen_t($1)) }
        guard result != 0, errno != EAGAIN else { return nil }
        return SystemCallError(operation: "connect to", path: path, errno: errno)
    }

    /// The address of a socket; nil for a path that is too long for one.
    static func address(of path: String) -> SocketAddress? {
        path.utf8.contains(0) ? nil : try? SocketAddress(unixDomainSocketPath: path)
    }
}
