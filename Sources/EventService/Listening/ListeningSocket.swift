import Foundation
import Glibc
package import HTTPService
import WireText

enum ListeningSocket {
    /// The number of connections that may wait to be accepted.
    private static let backlog: Int32 = 4096

    /// Restores the backlog that NIO replaced when it adopted the socket.
    static func setBacklog(of descriptor: Int32) { _ = listen(descriptor, backlog) }

    /// Creates a socket at a path and listens; only the socket's owner and group can connect.
    ///
    /// Replaces a socket that an earlier daemon left behind.
    static func unix(at path: String) throws(ListenError) -> Int32 {
        guard var address = UnixSocket.address(of: path) else { throw .pathTooLong(path) }
        let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw .system("socket", path) }
        do throws(ListenError) {
            try removeLeftover(at: path)
            guard UnixSocket.call(bind, made, &address) == 0 else { throw .system("bind", path) }
        } catch {
            close(made)
            throw error
        }
        // Set the mode before listening; otherwise, a client could connect while the mode is wrong.
        guard chmod(path, 0o660) == 0, listen(made, backlog) == 0 else {
            let error = ListenError.system("listen", path)
            close(made)
            unlink(path)
            throw error
        }
        return made
    }

    /// Creates a socket that listens on the first address of a host; port 0 picks a free port.
    static func tcp(at place: ListenAddress) throws(ListenError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(place.boundHost, String(place.port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard result == 0, let address = found?.pointee else {
            throw .unknownHost(place, reason: String(cString: gai_strerror(result)))
        }
        let made = socket(address.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard made >= 0 else { throw .system("socket", "\(place)") }
        var one: Int32 = 1
        setsockopt(made, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard bind(made, address.ai_addr, address.ai_addrlen) == 0, listen(made, backlog) == 0
        else {
            let error =
                errno == EADDRINUSE
                ? ListenError.inUse("\(place)") : .system("listen at", "\(place)")
            close(made)
            throw error
        }
        return made
    }

    private static func removeLeftover(at path: String) throws(ListenError) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let type = attributes?[.type] as? FileAttributeType else { return }
        guard type == .typeSocket else { throw .notASocket(path) }
        guard UnixSocket.obstacle(at: path)?.errno == ECONNREFUSED else {
            throw .inUse(path.quoted(upTo: .max))
        }
        unlink(path)
    }
}

/// Functions that check whether the daemon could listen, without affecting its clients.
package enum ListenTrial {
    /// Returns why the token or certificate files in the settings cannot be used; nil if they can.
    package static func error(in settings: ListenSettings) -> (any Error)? {
        Result {
            _ = try EventAccessPolicy(settings, .http)
            _ = try ServerIdentity(of: settings)
        }.failure
    }

    /// Returns when the certificate expires, in seconds since 1970; nil without a usable certificate.
    package static func expiry(in settings: ListenSettings) -> Int64? {
        (try? ServerIdentity(of: settings))?.expiry
    }

    /// Returns why listening on an address fails; nil if it succeeds.
    package static func error(at address: ListenAddress) -> ListenError? {
        Result { () throws(ListenError) in close(try ListeningSocket.tcp(at: address)) }.failure
    }

    /// Checks whether a temporary socket can be created beside `path`; returns the error, or nil if none is found.
    package static func error(beside path: String) -> ListenError? {
        let trial = "\(path).\(getpid())"
        guard trial.utf8.count <= 107 else {
            return path.utf8.count <= 107 ? nil : .pathTooLong(path)
        }
        return Result { () throws(ListenError) in
            close(try ListeningSocket.unix(at: trial))
            unlink(trial)
        }.failure
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}

extension ListenError {
    fileprivate static func system(_ operation: String, _ path: String) -> Self {
        .system(SystemCallError(operation: operation, path: path, errno: errno))
    }
}
