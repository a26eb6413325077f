import AsyncHTTPClient
import NIOCore
import Synchronization

/// AsyncHTTPClient's client, made when it is first needed.
///
/// A register whose catalog over HTTP is seldom asked need not hold one.
final class LazyClient: Sendable {
    private enum State {
        case notMade
        case made(HTTPClient)
        case shutDown
    }

    private let configuration: HTTPClient.Configuration
    private let loop: any EventLoop
    private let state = Mutex(State.notMade)

    init(_ configuration: HTTPClient.Configuration, on loop: any EventLoop) {
        self.configuration = configuration
        self.loop = loop
    }

    deinit {
        end()?.shutdown { _ in }
    }

    /// The client, the same each time; nil once it was shut down.
    func value() -> HTTPClient? {
        state.withLock { state in
            switch state {
            case .made(let client): return client
            case .shutDown: return nil
            case .notMade:
                let client = HTTPClient(
                    eventLoopGroupProvider: .shared(loop), configuration: configuration)
                state = .made(client)
                return client
            }
        }
    }

    /// Closes all connections, and makes no more.
    func shutdown() async {
        // The only error is that it was shut down before.
        try? await end()?.shutdown()
    }

    /// Leaves nothing to be used; gives what was in use.
    private func end() -> HTTPClient? {
        state.withLock { state in
            defer { state = .shutDown }
            if case .made(let client) = state { return client }
            return nil
        }
    }
}
