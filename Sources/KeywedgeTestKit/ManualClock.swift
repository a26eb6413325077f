import Synchronization

/// A clock that moves only when a test advances it; if `jumps` is true, each sleep advances it, too.
public final class ManualClock: Clock, Sendable {
    /// A point in time on a ``ManualClock``.
    public struct Instant: InstantProtocol {
        /// The duration from the clock's start to this instant.
        public let sinceStart: Duration

        /// Returns the instant that is later by `duration`, or earlier if `duration` is negative.
        public func advanced(by duration: Duration) -> Instant {
            Instant(sinceStart: sinceStart + duration)
        }

        /// Returns the time from this instant to `other`; negative if `other` is earlier.
        public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }

        /// Returns whether `left` is earlier than `right`.
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
        var watchers: [Watcher] = []
        var slept: [Duration] = []
    }

    private let state = Mutex(State())
    private let jumps: Bool

    /// Creates a clock that starts at zero; if `jumps` is true, a sleep advances it immediately.
    public init(jumps: Bool = false) { self.jumps = jumps }

    /// The current time on this clock; zero until the clock is first advanced.
    public var now: Instant { state.withLock { $0.now } }

    /// The smallest step: one attosecond.
    public var minimumResolution: Duration {
        Duration(secondsComponent: 0, attosecondsComponent: 1)
    }

    /// The durations of all sleeps so far, in the order in which the sleeps started.
    public var slept: [Duration] { state.withLock { $0.slept } }

    /// Waits until the clock reaches the deadline; throws `CancellationError` if the task is cancelled.
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

    /// Advances the clock, and wakes every sleeper whose deadline has passed.
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

    /// Waits until at least `count` tasks sleep on this clock, so that a test can then advance the clock.
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
        let (isDue, watchers) = state.withLock { state -> (Bool, [Watcher]) in
            guard state.now < sleeper.deadline else { return (true, []) }
            state.sleepers.append(sleeper)
            let count = state.sleepers.count
            let ready = state.watchers.filter { $0.count <= count }
            state.watchers.removeAll { $0.count <= count }
            return (false, ready)
        }
        if isDue { sleeper.continuation.resume() }
        for watcher in watchers { watcher.continuation.resume() }
        // Nothing would wake a task that is already cancelled.
        if Task.isCancelled { cancel(sleeper.id) }
    }

    private func cancel(_ id: Int) {
        let sleeper = state.withLock { state in
            state.sleepers.firstIndex { $0.id == id }.map { state.sleepers.remove(at: $0) }
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }
}
