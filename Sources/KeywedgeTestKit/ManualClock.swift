import Synchronization

/// A clock that goes only when it is told to.
public final class ManualClock: Clock, Sendable {
    /// A point in time, counted from the clock's start.
    public struct Instant: InstantProtocol {
        /// The time since the clock's start.
        public let sinceStart: Duration

        /// The instant a time later.
        public func advanced(by duration: Duration) -> Instant {
            Instant(sinceStart: sinceStart + duration)
        }

        /// The time from this instant to another.
        public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }

        /// Says which is earlier.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.sinceStart < right.sinceStart
        }
    }

    private struct Sleeper {
        let id: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(sinceStart: .zero)
        var nextID = 0
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var watchers: [Watcher] = []
        var slept: [Duration] = []
    }

    private let state = Mutex(State())
    private let jumps: Bool

    /// Makes a clock that stands at its start.
    ///
    /// - Parameter jumps: Whether sleeping takes no time and puts the clock forward instead.
    public init(jumps: Bool = false) {
        self.jumps = jumps
    }

    /// The time on the clock.
    public var now: Instant { state.withLock { $0.now } }

    /// The smallest step: one attosecond.
    public var minimumResolution: Duration {
        Duration(secondsComponent: 0, attosecondsComponent: 1)
    }

    /// How long each sleep was to last, in the order they began.
    public var slept: [Duration] { state.withLock { $0.slept } }

    /// Waits until the clock was put forward far enough.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            state.nextID += 1
            state.slept.append(state.now.duration(to: deadline))
            if jumps { state.now = max(state.now, deadline) }
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(Sleeper(id: id, deadline: deadline, continuation: continuation))
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Puts the clock forward and wakes who slept until then.
    ///
    /// - Parameter duration: By how much.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.deadline <= state.now }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        for sleeper in due.sorted(by: { $0.deadline < $1.deadline }) {
            sleeper.continuation.resume()
        }
    }

    /// Waits until someone sleeps, so that the clock can be put forward then.
    ///
    /// - Parameter count: How many must sleep at the same time.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.sleepers.count < count else { return true }
                state.watchers.append(Watcher(count: count, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func enqueue(_ sleeper: Sleeper) {
        enum Next { case wake, cancel, sleep([Watcher]) }
        let next = state.withLock { state -> Next in
            if state.cancelled.remove(sleeper.id) != nil { return .cancel }
            guard state.now < sleeper.deadline else { return .wake }
            state.sleepers.append(sleeper)
            let count = state.sleepers.count
            let ready = state.watchers.filter { $0.count <= count }
            state.watchers.removeAll { $0.count <= count }
            return .sleep(ready)
        }
        switch next {
        case .wake: sleeper.continuation.resume()
        case .cancel: sleeper.continuation.resume(throwing: CancellationError())
        case .sleep(let watchers): for watcher in watchers { watcher.continuation.resume() }
        }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
