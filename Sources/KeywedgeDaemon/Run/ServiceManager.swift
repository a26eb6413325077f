import Glibc

/// Tells systemd how the daemon is doing, by its notify protocol: a datagram with lines of text.
///
/// Protocol: sd_notify(3). Where nobody listens, nothing is sent.
package struct ServiceManager: Sendable {
    private let socketPath: String?
    /// Half the time after which systemd believes the daemon dead; nil where it does not watch.
    package let watchdogInterval: Duration?

    /// Reads what systemd has put into the environment.
    ///
    /// - Parameter environment: The value of an environment variable, or nil.
    package init(environment: (String) -> String?) {
        socketPath = environment("NOTIFY_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
        let isForUs = environment("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
        let microseconds = environment("WATCHDOG_USEC").flatMap(Int64.init) ?? 0
        watchdogInterval = isForUs && microseconds > 1 ? .microseconds(microseconds / 2) : nil
    }

    /// The daemon reads scanners, or waits for one.
    package func ready() { send("READY=1") }

    /// The daemon is on its way to its end.
    package func stopping() { send("STOPPING=1") }

    /// The daemon is alive.
    package func kickWatchdog() { send("WATCHDOG=1") }

    /// Sends without ever waiting: a full socket loses the message, and the next kick makes up.
    private func send(_ message: String) {
        guard let socketPath, var address = Self.address(of: socketPath) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + socketPath.utf8.count)
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(descriptor, message, message.utf8.count, flags, address, length)
            }
        }
    }

    /// A path, or with an `@` in front a name in Linux's abstract namespace.
    private static func address(of path: String) -> sockaddr_un? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        guard bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "@") else {
            return nil
        }
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        return fits ? address : nil
    }
}
