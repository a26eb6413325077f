import Foundation
import Glibc
import TestWaiting
import WireText

/// A port on loopback that answers no connection attempt, because its queue is full.
final class FullBacklog {
    let port: Int
    private var sockets: [CInt] = []

    /// Listens without ever accepting a connection, and fills the queue; nil if the system does not let it listen.
    ///
    /// - Parameter wanted: The port; 0 for any.
    init?(port wanted: Int = 0) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var isReused: CInt = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(4))
        var address = sockaddr_in()
        address.sin_port = in_port_t(wanted).bigEndian
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        sockets = [listener]
        guard listener >= 0, isListening else { return nil }
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        sockets.append(client)
        let isConnected = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, length) == 0
            }
        }
        // A queue of length 0 holds one connection. It is full when that connection is established.
        var filled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard isConnected, poll(&filled, 1, -1) == 1 else { return nil }
    }

    /// Waits until a client tries to connect.
    func waitForClient() async throws {
        let address = "0100007F:" + String(format: "%04X", port)
        try await waitUntil("a client") {
            // Foundation reads only the first page of a kernel file.
            let table = try SmallFile.read("/proc/net/tcp", limit: .max)
            return table.split(separator: UInt8(ascii: "\n")).contains { line in
                let columns = String(decoding: line, as: UTF8.self).split(separator: " ")
                // The remote address, and the state SYN_SENT.
                return columns.count > 3 && columns[2] == address && columns[3] == "02"
            }
        }
    }

    deinit {
        for socket in sockets { close(socket) }
    }
}
