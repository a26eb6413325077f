import Glibc
import WireText

/// A unix socket that listens: made here, or handed over by the service manager.
struct UnixSocket {
    /// Connections that wait to be taken in.
    private static let backlog: Int32 = 4096

    /// The socket.
    let descriptor: Int32
    /// The file to take away at the end; nil where it is the service manager's.
    let path: String?

    /// Takes a socket that the service manager made.
    init(handedOver descriptor: Int32) {
        self.descriptor = descriptor
        path = nil
    }

    /// Makes a socket that its owner and its group may use.
    ///
    /// A file that was left behind by a daemon that is no more is taken away.
    ///
    /// - Parameter path: Where.
    /// - Throws: ``EventServerError``.
    init(at path: String) throws(EventServerError) {
        guard var address = Self.address(of: path) else { throw .pathTooLong(path) }
        let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw .system("socket", path) }
        do throws(EventServerError) {
            try Self.removeLeftover(at: path, &address)
            // Nobody can connect before the mode is right: it does not listen yet.
            guard Self.call(bind, made, &address) == 0 else { throw .system("bind", path) }
            guard chmod(path, 0o660) == 0 else { throw .system("chmod", path) }
            guard listen(made, Self.backlog) == 0 else { throw .system("listen", path) }
        } catch {
            close(made)
            throw error
        }
        descriptor = made
        self.path = path
    }

    /// Takes the file away, where it is ours.
    func remove() {
        if let path { unlink(path) }
    }

    private static func removeLeftover(
        at path: String, _ address: inout sockaddr_un
    ) throws(EventServerError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(path) }
        let probe = socket(
            AF_UNIX,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard probe >= 0 else { throw .system("socket", path) }
        defer { close(probe) }
        let isRefused = call(connect, probe, &address) != 0 && errno == ECONNREFUSED
        guard isRefused else { throw .inUse(path.quoted(upTo: .max)) }
        unlink(path)
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32,
        _ address: inout sockaddr_un
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func address(of path: String) -> sockaddr_un? {
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

extension EventServerError {
    fileprivate static func system(_ operation: String, _ path: String) -> Self {
        .system(SystemCallError(operation: operation, path: path, errno: errno))
    }
}
