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

    init(_ make: @escaping @Sendable () throws -> Parts) { self.make = make }

    deinit {
        guard let parts = end() else { return }
        parts.client.shutdown { [loop = parts.loop] _ in loop.end() }
    }

    /// The parts, the same each time; an error once they were shut down.
    func parts() throws(ConnectionError) -> Parts {
        try state.withLock { (state) throws(ConnectionError) in
            switch state {
            case .made(let parts): return parts
            case .shutDown: throw ConnectionError(.shutDown, during: .connect)
            case .notMade:
                do {
                    let parts = try make()
                    state = .made(parts)
                    return parts
                } catch {
                    throw ConnectionError(.tlsFailed, during: .connect, underlying: "\(error)")
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
            return if case .made(let parts) = state { parts } else { nil }
        }
    }
}

/// A transport's own event loop, on a thread of its own.
///
/// SwiftNIO looks names up one after the other for each loop, and a name server that does not answer
/// takes ten seconds and more. On a loop that several transports share it would keep all of them from
/// their servers. With one loop for all of its requests, none hops from loop to loop, which costs more
/// than a second thread would gain.
struct DedicatedEventLoop: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// The loop.
    var loop: any EventLoop { group.any() }

    /// Ends the thread, once all that has to be looked up on the loop was.
    func end() {
        let loop = loop
        loop.flatSubmit {
            // An address is not looked up, so this waits only for what is before it.
            NIORandomizedDNSResolver(loop: loop).initiateAAAAQuery(host: "127.0.0.1", port: 0)
        }.whenComplete { [group] _ in
            group.shutdownGracefully { _ in }
        }
    }
}
