import Glibc
import KeywedgeDaemon
import TestFolders
import Testing

@Suite struct ServiceManagerTests {
    @Test(arguments: [false, true])
    func messagesAreDatagramsOnTheSocketNamed(isAbstract: Bool) throws {
        let folder = try TemporaryFolder()
        let name = folder.path("notify")
        let socket = try NotifySocket(path: isAbstract ? "@" + name : name)
        let manager = ServiceManager { $0 == "NOTIFY_SOCKET" ? socket.path : nil }
        manager.ready()
        manager.kickWatchdog()
        manager.stopping()
        #expect(socket.receive() == "READY=1")
        #expect(socket.receive() == "WATCHDOG=1")
        #expect(socket.receive() == "STOPPING=1")
    }

    @Test func aDescriptorGoesWithItsName() throws {
        let folder = try TemporaryFolder()
        let socket = try NotifySocket(path: folder.path("notify"))
        let manager = ServiceManager { $0 == "NOTIFY_SOCKET" ? socket.path : nil }
        let file = open(try folder.write("what is kept", to: "file"), O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        manager.keep(file, as: "input-13-64")
        manager.drop("input-13-64")
        let (message, descriptor) = try #require(socket.receiveDescriptor())
        defer { close(descriptor) }
        #expect(message == "FDSTORE=1\nFDNAME=input-13-64")
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "what is kept")
        #expect(socket.receive() == "FDSTOREREMOVE=1\nFDNAME=input-13-64")
    }

    /// Has no expectation: a path that is too long for a socket, for example, must not end the process.
    @Test(arguments: ["", "/nobody/listens", String(repeating: "/long", count: 100)])
    func whereNobodyListensNothingHappens(path: String) {
        let manager = ServiceManager { $0 == "NOTIFY_SOCKET" ? path : nil }
        manager.ready()
    }

    @Test func aRelativePathIsNoSocket() throws {
        let folder = try TemporaryFolder()
        let socket = try NotifySocket(path: folder.path("notify"))
        let path = String(repeating: "../", count: 10) + socket.path.dropFirst()
        // A longer path would be no socket either.
        try #require(access(path, F_OK) == 0 && path.utf8.count < 108)
        let manager = ServiceManager { $0 == "NOTIFY_SOCKET" ? path : nil }
        manager.ready()
        #expect(socket.receive() == nil)
    }

    @Test(arguments: [
        (nil, "30000000", Duration.milliseconds(7500)),
        (String(getpid()), "30000000", .milliseconds(7500)),
        ("1", "30000000", nil), (nil, "0", nil), (nil, "soon", nil), (nil, nil, nil),
    ])
    func theWatchdogIsKickedFourTimesAsOftenAsItAsks(
        pid: String?, time: String?, interval: Duration?
    ) {
        let manager = ServiceManager {
            switch $0 {
            case "WATCHDOG_PID": pid
            case "WATCHDOG_USEC": time
            default: nil
            }
        }
        #expect(manager.watchdogInterval == interval)
    }
}

/// A socket that receives notifications, like that of systemd.
private final class NotifySocket {
    let path: String
    private let descriptor: Int32

    init(path: String) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = path.hasPrefix("@") ? "\0" + path.dropFirst() : path
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name.utf8) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(result == 0, "bind: \(String(cString: strerror(errno)))")
    }

    deinit {
        close(descriptor)
        if path.hasPrefix("/") { unlink(path) }
    }

    /// Returns a message and the descriptor sent with it; nil if no such message is waiting.
    func receiveDescriptor() -> (String, Int32)? {
        var bytes = [UInt8](repeating: 0, count: 256)
        var control = [UInt8](repeating: 0, count: 64)
        return bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return withUnsafeMutablePointer(to: &part) { part in
                    var header = msghdr()
                    header.msg_iov = part
                    header.msg_iovlen = 1
                    header.msg_control = control.baseAddress
                    header.msg_controllen = control.count
                    let count = recvmsg(descriptor, &header, Int32(MSG_DONTWAIT))
                    guard count > 0, header.msg_controllen >= 20 else { return nil }
                    return (
                        String(decoding: bytes.prefix(count), as: UTF8.self),
                        control.load(fromByteOffset: MemoryLayout<cmsghdr>.size, as: Int32.self)
                    )
                }
            }
        }
    }

    func receive() -> String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
