import Events
import Synchronization

/// Counts the events of a run, for whoever asks how the daemon is doing.
///
/// It is given each event behind all others that take events at once, on the thread that hands them out,
/// and waits for nobody: who reads copies the counts.
final class EventTally: EventSink {
    private let counts = Mutex(EventCounts())
    private let now: @Sendable () -> EventTime

    /// Makes a tally.
    ///
    /// - Parameter now: Tells the time of day.
    init(now: @escaping @Sendable () -> EventTime) { self.now = now }

    /// What was counted so far.
    var current: EventCounts { counts.withLock { $0 } }

    func sendAtOnce(_ event: Event) -> Sending {
        let time = now()
        counts.withLock { $0.note(event, at: time) }
        return .done
    }

    nonisolated(nonsending) func send(_ event: Event) async throws { _ = sendAtOnce(event) }
}
