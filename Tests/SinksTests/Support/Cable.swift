import Foundation
import Synchronization

/// A relay to a server on loopback, which a test can cut without either end closing its connection.
final class Cable: Sendable {
    /// The port to which clients connect instead of the server's.
    let port: Int

    private struct State {
        var connections: [Int32] = []
        var isCutForGood = false
    }

    private let listener: Int32
    private let state = Mutex(State())

    init(to port: Int) throws {
        let own = Loopback.freePort()
        listener = Loopback.socket()
        var isReused: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isReused, 4)
        guard Loopback.call(bind, listener, own), listen(listener, 8) == 0 else {
            throw CocoaError(.fileReadUnknown)
        }
        self.port = own
        Thread.detachNewThread { [listener, weak self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, let self else { return }
                self.connect(client, to: port)
            }
        }
    }

    deinit {
        cut(forGood: true)
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// Cuts all connections; with `forGood`, later connections are closed at once.
    func cut(forGood isForGood: Bool = false) {
        state.withLock { state in
            state.isCutForGood = state.isCutForGood || isForGood
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
            state.connections = []
        }
    }

    private func connect(_ client: Int32, to port: Int) {
        let server = Loopback.socket()
        let isOpen = state.withLock { state in
            guard !state.isCutForGood, Loopback.call(Foundation.connect, server, port) else {
                return false
            }
            state.connections += [client, server]
            return true
        }
        guard isOpen else {
            close(client)
            close(server)
            return
        }
        for (from, to) in [(client, server), (server, client)] {
            Thread.detachNewThread {
                var bytes = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = recv(from, &bytes, bytes.count, 0)
                    guard count > 0, send(to, bytes, count, Int32(MSG_NOSIGNAL)) == count else {
                        break
                    }
                }
                shutdown(to, Int32(SHUT_RDWR))
            }
        }
    }
}
