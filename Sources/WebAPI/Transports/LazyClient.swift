import AsyncHTTPClient
import NIOCore
import NIOPosix
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

    /// The parts, the same each time; an error once they were shut down.
    func parts() -> Result<Parts, ConnectionError> {
        state.withLock { state in
            switch state {
            case .made(let parts): return .success(parts)
            case .shutDown: return .failure(ConnectionError(.shutDown, during: .connect))
            case .notMade:
                do {
                    let parts = try make()
                    state = .made(parts)
                    return .success(parts)
                } catch {
                    return .failure(
                        ConnectionError(.tlsFailed, during: .connect, underlying: "\(error)"))
                }
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

/// A transport's own event loop, on a thread of its own.
///
/// SwiftNIO looks the names of hosts up one after the other for each loop, and a name server that
/// does not answer takes ten seconds and more of that. On a loop that several transports share it
/// would keep all of them from their servers. With one loop for all of its requests, none hops from
/// the loop it is followed on to that of its connection, which costs more than a second thread would
/// gain.
struct DedicatedEventLoop: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// The loop.
    var loop: any EventLoop { group.any() }

    /// Ends the thread, once all that has to be looked up on the loop was.
    func end() {
        let loop = loop
        loop.flatSubmit {
            // An address is not looked up, so that this waits for what stands before it and no more.
            NIORandomizedDNSResolver(loop: loop).initiateAAAAQuery(host: "127.0.0.1", port: 0)
        }.whenComplete { [group] _ in
            group.shutdownGracefully { _ in }
        }
    }
}
