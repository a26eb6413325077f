import Foundation
import Glibc
import HTTPService
import WireText

/// Makes sockets that listen.
enum ListeningSocket {
    /// Connections that may wait to be accepted.
    private static let backlog: Int32 = 4096

    /// Lets as many connections wait again after NIO took the socket over: it listens anew, for 128.
    static func setBacklog(of descriptor: Int32) { _ = listen(descriptor, backlog) }

    /// Listens at a path, for the owner of the socket and its group.
    ///
    /// Replaces a file that an earlier daemon left behind.
    static func unix(at path: String) throws(EventServerError) -> Int32 {
        guard var address = address(of: path) else { throw .pathTooLong(path) }
        let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw .system("socket", path) }
        do throws(EventServerError) {
            try removeLeftover(at: path, &address)
            guard call(bind, made, &address) == 0 else { throw .system("bind", path) }
        } catch {
            close(made)
            throw error
        }
        // Clients cannot connect before the mode is right: it does not listen yet.
        guard chmod(path, 0o660) == 0, listen(made, backlog) == 0 else {
            let error = EventServerError.system("listen", path)
            close(made)
            unlink(path)
            throw error
        }
        return made
    }

    /// Listens at the first address of a host; port 0 is any free one.
    static func tcp(at place: ListenAddress) throws(EventServerError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(place.boundHost, String(place.port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard result == 0, let address = found?.pointee else {
            throw .unknownHost(place, reason: String(cString: gai_strerror(result)))
        }
        let made = socket(
            address.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw .system("socket", "\(place)") }
        var one: Int32 = 1
        setsockopt(
            made, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard bind(made, address.ai_addr, address.ai_addrlen) == 0, listen(made, backlog) == 0
        else {
            let error =
                errno == EADDRINUSE
                ? EventServerError.inUse("\(place)") : .system("listen at", "\(place)")
            close(made)
            throw error
        }
        return made
    }

    private static func removeLeftover(
        at path: String, _ address: inout sockaddr_un
    ) throws(EventServerError) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let type = attributes?[.type] as? FileAttributeType else { return }
        guard type == .typeSocket else { throw .notASocket(path) }
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
