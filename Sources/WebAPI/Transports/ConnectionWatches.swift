import NIOCore
import Synchronization

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
