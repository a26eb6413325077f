import Glibc

/// Reports the daemon's state to systemd; does nothing if systemd did not start the daemon.
///
/// Protocol: sd_notify(3).
package struct ServiceManager: Sendable {
    private let socketPath: String?
    /// How often to feed systemd's watchdog: every quarter of its timeout; nil if there is no watchdog.
    package let watchdogInterval: Duration?

    /// Called when the daemon is ready, before systemd is notified.
    var onReady: @Sendable () -> Void = {}

    package init(environment: (String) -> String?) {
        socketPath = environment("NOTIFY_SOCKET").flatMap { $0.isEmpty ? nil : $0 }
        let isForUs = environment("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
        let microseconds = environment("WATCHDOG_USEC").flatMap(Int64.init) ?? 0
        watchdogInterval = isForUs && microseconds > 3 ? .microseconds(microseconds / 4) : nil
    }

    /// Reports that the daemon reads scanners, or waits for one to be attached.
    package func ready() {
        onReady()
        send("READY=1")
    }

    package func stopping() { send("STOPPING=1") }

    package func kickWatchdog() { send("WATCHDOG=1") }

    /// Asks systemd to store a copy of a descriptor for the next run, under the given name.
    package func keep(_ descriptor: Int32, as name: String) {
        send("FDSTORE=1\nFDNAME=\(name)", with: descriptor)
    }

    /// Asks systemd to close the descriptors that it stores under this name.
    package func drop(_ name: String) { send("FDSTOREREMOVE=1\nFDNAME=\(name)") }

    /// Sends a message without ever blocking; if the socket is full, the message is lost.
    private func send(_ message: String, with passed: Int32? = nil) {
        guard let socketPath, var address = Self.address(of: socketPath) else { return }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + socketPath.utf8.count)
        var text = Array(message.utf8)
        var control = passed.map(Self.control) ?? []
        withUnsafeMutablePointer(to: &address) { address in
            text.withUnsafeMutableBytes { text in
                control.withUnsafeMutableBytes { control in
                    var part = iovec(iov_base: text.baseAddress, iov_len: text.count)
                    withUnsafeMutablePointer(to: &part) { part in
                        var header = msghdr()
                        header.msg_name = UnsafeMutableRawPointer(address)
                        header.msg_namelen = length
                        header.msg_iov = part
                        header.msg_iovlen = 1
                        header.msg_control = control.isEmpty ? nil : control.baseAddress
                        header.msg_controllen = control.count
                        _ = sendmsg(descriptor, &header, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
                    }
                }
            }
        }
    }

    /// The control message that carries a descriptor; see cmsg(3).
    private static func control(passing descriptor: Int32) -> [UInt8] {
        let size = MemoryLayout<cmsghdr>.size
        var message = [UInt8](repeating: 0, count: size + MemoryLayout<size_t>.size)
        var header = cmsghdr()
        header.cmsg_len = size + MemoryLayout<Int32>.size
        header.cmsg_level = SOL_SOCKET
        header.cmsg_type = Int32(SCM_RIGHTS)
        message.withUnsafeMutableBytes {
            $0.storeBytes(of: header, as: cmsghdr.self)
            $0.storeBytes(of: descriptor, toByteOffset: size, as: Int32.self)
        }
        return message
    }

    /// The address of an absolute path, or of a name in Linux's abstract namespace (`@…`); nil for any other text.
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
