import AsyncHTTPClient
import NIOCore
import Synchronization

/// AsyncHTTPClient's client and what belongs to it, made when it is first needed.
///
/// It takes threads and memory, and a register whose catalog over HTTP is seldom asked need not
/// hold it.
final class LazyClient: Sendable {
    /// What is made.
    struct Parts: Sendable {
        let client: HTTPClient
        let loop: DedicatedEventLoop
        let probe: ConnectionProbe
        let watches: ConnectionWatches
    }

    private enum State {
        case notMade
        case made(Parts)
        case shutDown
    }

    private let make: @Sendable () throws -> Parts
    private let state = Mutex(State.notMade)

    init(_ make: @escaping @Sendable () throws -> Parts) {
        self.make = make
    }

    deinit {
        guard let parts = end() else { return }
        parts.client.shutdown { [loop = parts.loop] _ in loop.end() }
    }

    /// The parts, the same each time; nil once they were shut down.
    func value() throws -> Parts? {
        try state.withLock { state in
            switch state {
            case .made(let parts): return parts
            case .shutDown: return nil
            case .notMade:
                let parts = try make()
                state = .made(parts)
                return parts
            }
        }
    }

    /// Closes all connections, and makes no more.
    func shutdown() async {
        guard let parts = end() else { return }
        // The only error is that it was shut down before.
        try? await parts.client.shutdown()
        parts.loop.end()
    }

    /// Leaves nothing to be used; gives what was in use.
    private func end() -> Parts? {
        state.withLock { state in
            defer { state = .shutDown }
            if case .made(let parts) = state { return parts }
            return nil
        }
    }
}
