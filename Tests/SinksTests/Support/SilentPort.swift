import Foundation
import TestWaiting
import Testing
import WireText

/// A port on loopback that never answers, like a broker whose machine hangs.
final class SilentPort: Sendable {
    let number: Int
    private let isFull: Bool
    private let listener: Int32
    private let filler: Int32

    /// Listens; if `isFull`, the kernel drops connections, otherwise it accepts them, but nothing reads from them.
    init(isFull: Bool) throws {
        self.isFull = isFull
        number = Loopback.freePort()
        listener = Loopback.socket()
        filler = Loopback.socket()
        try #require(Loopback.call(bind, listener, number) && listen(listener, isFull ? 0 : 8) == 0)
        guard isFull else { return }
        // A queue of length 0 holds one connection. It is full when that connection is established.
        try #require(Loopback.call(connect, filler, number))
        var filled = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        try #require(poll(&filled, 1, -1) == 1)
    }

    deinit {
        close(listener)
        close(filler)
    }

    /// Whether a client is connecting to a full port, or is connected to another one.
    var hasVisitor: Bool {
        get throws {
            let address = "0100007F:" + String(format: "%04X", number)
            // Foundation reads only the first page of a kernel file, which lists only 26 sockets.
            let table = try SmallFile.read("/proc/net/tcp", limit: .max)
            return table.split(separator: UInt8(ascii: "\n")).contains { line in
                let columns = String(decoding: line, as: UTF8.self).split(separator: " ")
                return columns.count > 3 && columns[2] == address
                    && columns[3] == (isFull ? "02" : "01")
            }
        }
    }

    /// Accepts the next client of a full port, and returns everything that it sends until it closes.
    func bytesOfVisitor() throws -> [UInt8] {
        close(accept(listener, nil, nil))
        var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 600_000) > 0 else { throw StillWaiting(for: "the visitor") }
        let visitor = accept(listener, nil, nil)
        defer { close(visitor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(visitor, &buffer, buffer.count, 0), count > 0 {
            bytes += buffer[..<count]
        }
        return bytes
    }
}
