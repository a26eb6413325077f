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

    @Test(arguments: ["", "relative", "/nobody/listens", String(repeating: "/long", count: 100)])
    func whereNobodyListensNothingHappens(path: String) {
        let manager = ServiceManager { $0 == "NOTIFY_SOCKET" ? path : nil }
        manager.ready()
        #expect(manager.watchdogInterval == nil)
    }

    @Test(arguments: [
        (nil, "30000000", Duration.seconds(15)), (String(getpid()), "30000000", .seconds(15)),
        ("1", "30000000", nil), (nil, "0", nil), (nil, "soon", nil), (nil, nil, nil),
    ])
    func theWatchdogIsKickedTwiceAsOftenAsItAsks(pid: String?, time: String?, interval: Duration?) {
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

/// A socket as systemd has one for notifications.
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

    func receive() -> String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
