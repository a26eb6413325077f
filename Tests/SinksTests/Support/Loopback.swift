import Foundation
import Synchronization

/// Functions for sockets and ports on loopback.
enum Loopback {
    /// Calls `bind` or `connect` with the address of a port; returns whether it succeeds.
    static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32,
        _ port: Int
    ) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Makes a socket that child processes do not inherit; if they did, its port would stay in use.
    static func socket() -> Int32 {
        Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    /// The ports given to tests so far, which may be free until the test's server listens.
    private static let given = Mutex<Set<Int>>([])

    /// Returns a port that was just free, below the range from which the kernel assigns ports to connections.
    static func freePort() -> Int {
        while true {
            let port = Int.random(in: 30_000..<32_768)
            let descriptor = socket()
            defer { close(descriptor) }
            if call(bind, descriptor, port), given.withLock({ $0.insert(port).inserted }) {
                return port
            }
        }
    }

    static func isListening(_ port: Int) -> Bool {
        let descriptor = socket()
        defer { close(descriptor) }
        return call(connect, descriptor, port)
    }
}
