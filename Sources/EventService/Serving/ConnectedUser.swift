import Glibc
import NIOCore

/// Who is at the other end of a unix socket, as the kernel knows it.
struct ConnectedUser: Equatable, Sendable, CustomStringConvertible {
    /// The kernel's `struct ucred`, which is not in the headers without extensions.
    private struct Credentials {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    private let user: UInt32
    private let process: Int32

    /// Asks the kernel; nil where the connection is no unix socket.
    static func of(_ channel: any Channel) async -> ConnectedUser? {
        guard let provider = channel as? any SocketOptionProvider,
            channel.localAddress?.protocol == .unix
        else { return nil }
        let credentials: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
            level: .socket, name: .init(rawValue: SO_PEERCRED))
        guard let credentials = try? await credentials.get() else { return nil }
        return ConnectedUser(user: credentials.user, process: credentials.process)
    }

    /// As the log has it.
    ///
    /// The user's name may be on another box, which nobody waits for here.
    var description: String { "user \(user) (process \(process))" }
}
