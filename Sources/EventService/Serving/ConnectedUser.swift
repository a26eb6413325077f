import Glibc
import NIOCore
import WireText

/// Who is at the other end of a unix socket, as the kernel knows it.
struct ConnectedUser: Equatable, Sendable {
    /// The kernel's `struct ucred`, which is not in the headers without extensions.
    private struct Credentials {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// The user's number.
    let user: UInt32
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
    /// - Parameter name: The user's name; nil where there is none.
    /// - Returns: `user "till" (process 4711)`, with the number in place of a name that is not there.
    func text(name: String?) -> String {
        "user \(name?.quoted(upTo: .max) ?? "\(user)") (process \(process))"
    }
}
