import Foundation
import TestWaiting
import Testing

/// A port on loopback whose owner says nothing, as a broker does whose machine hangs.
final class SilentPort: Sendable {
    let number: Int
    private let isFull: Bool
    private let listener: Int32
    private let filler: Int32

    /// Listens; if `isFull`, the kernel drops connections, otherwise it accepts them, and nobody reads.
    init(isFull: Bool) throws {
        self.isFull = isFull
        number = Loopback.freePort()
        listener = Loopback.socket()
        filler = Loopback.socket()
        try #require(Loopback.call(bind, listener, number) && listen(listener, isFull ? 0 : 8) == 0)
        // A queue of length 0 holds one connection.
        if isFull { try #require(Loopback.call(connect, filler, number)) }
    }

    deinit {
        close(listener)
        close(filler)
    }

    /// Whether someone waits for an answer of the kernel or of the owner.
    var hasVisitor: Bool {
        let address = "0100007F:" + String(format: "%04X", number)
        let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        return table.split(separator: "\n").contains { line in
            let columns = line.split(separator: " ")
            return columns.count > 3 && columns[2] == address
                && columns[3] == (isFull ? "02" : "01")
        }
    }

    /// Makes room in a full port, and reads what the next one to come sends up to its end.
    func bytesOfNextVisitor() async throws -> [UInt8] {
        try await onItsOwnThread { [listener] in
            close(accept(listener, nil, nil))
            // The kernel gives a connection up after two minutes; then the visitor has sent nothing.
            var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 150_000) > 0 else { return [] }
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
}
