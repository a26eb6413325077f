import Glibc
import TestWaiting

/// A connection made with system calls only, without an HTTP library.
final class RawClient {
    let descriptor: Int32

    /// Connects to the unix socket at `path`.
    ///
    /// `room` is the size of the kernel's receive buffer for this client, in bytes; nil for the default.
    init(path: String, room: Int32? = nil) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var room {
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, size)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        connect(&address)
    }

    init(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        connect(&address)
    }

    private func connect<Address>(_ address: inout Address) {
        // A time limit, so that a failing test does not read forever.
        var time = timeval(tv_sec: Int(Duration.patience.components.seconds), tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func receive() -> String? { take(1 << 16).map { String(decoding: $0, as: UTF8.self) } }

    /// Waits for bytes and reads at most `limit` of them; nil if the other side has closed.
    func take(_ limit: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    func close() { Glibc.close(descriptor) }
}
