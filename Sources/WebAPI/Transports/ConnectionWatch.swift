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

/// The requests of a transport that wait for a connection.
///
/// Most are on their way at once, so there is no timer for each: one clock for all ticks as long as
/// any waits, and lies still otherwise.
final class ConnectionWatches: Sendable {
    private struct State {
        var waiting: [ObjectIdentifier: ConnectionWatch] = [:]
        var isTicking = false
    }

    private static let tick = TimeAmount.milliseconds(25)

    private let probe: ConnectionProbe
    private let loop: any EventLoop
    private let state = Mutex(State())

    init(_ probe: ConnectionProbe, on loop: any EventLoop) {
        self.probe = probe
        self.loop = loop
    }

    /// Watches a request until it is told to end.
    ///
    /// - Parameters:
    ///   - origin: Where the request goes.
    ///   - limit: The time for its connection.
    /// - Returns: The watch.
    func begin(_ origin: Origin, limit: Duration) -> ConnectionWatch {
        let watch = ConnectionWatch(origin, limit: limit, watches: self)
        let startsTicking = state.withLock { state in
            state.waiting[ObjectIdentifier(watch)] = watch
            defer { state.isTicking = true }
            return !state.isTicking
        }
        if startsTicking { scheduleTick() }
        return watch
    }

    /// Watches a request no longer.
    func remove(_ watch: ConnectionWatch) {
        state.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(watch)) }
    }

    private func scheduleTick() {
        loop.scheduleTask(in: Self.tick) { self.tick() }
    }

    private func tick() {
        let now = NIODeadline.now()
        let (due, goesOn) = state.withLock { state in
            let due = state.waiting.values.filter { $0.due <= now }
            for watch in due { state.waiting[ObjectIdentifier(watch)] = nil }
            state.isTicking = !state.waiting.isEmpty
            return (due, state.isTicking)
        }
        for watch in due { watch.look(with: probe) }
        if goesOn { scheduleTick() }
    }
}
