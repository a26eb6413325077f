import NIOCore
import Synchronization

/// Finds out where a connection that takes long is stuck, for AsyncHTTPClient does not tell.
///
/// When half of the time for a connection is over and the request is not on its way, a connection
/// of its own is begun to the same server, step by step, and nothing is sent over it. Where that
/// one is stuck, the other is.
final class ConnectionWatch: Sendable {
    private struct State {
        var connection: ProbeConnection?
        var isOver = false
    }

    /// When the connection of its own is begun.
    let due: NIODeadline

    private let watches: ConnectionWatches
    private let origin: Origin
    private let half: Duration
    private let state = Mutex(State())

    init(_ origin: Origin, limit: Duration, watches: ConnectionWatches) {
        self.origin = origin
        self.watches = watches
        half = limit / 2
        due = .now() + TimeAmount(half)
    }

    /// Where it is stuck; ``ConnectionError/Phase/connect`` where that is not known.
    var phase: ConnectionError.Phase {
        state.withLock { $0.connection }?.phase ?? .connect
    }

    /// Whether the server takes connections, so that it is a free one that is lacking.
    var serverTakesConnections: Bool {
        state.withLock { $0.connection }?.isMade ?? false
    }

    /// Begins the connection of its own.
    func look(with probe: ConnectionProbe) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.connection = probe.start(to: origin, within: half)
        }
    }

    /// Ends it, for the request is on its way or has failed.
    func end() {
        let (isFirst, connection) = state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.connection)
        }
        guard isFirst else { return }
        watches.remove(self)
        connection?.stop()
    }
}
