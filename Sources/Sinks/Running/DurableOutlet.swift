package import Journal
import Synchronization

/// Where a durable sink's events go: a broker, a web server, a command.
///
/// It gets committed events in order, and never two calls at once.
package protocol DurableOutlet: Sendable {
    /// Starts what the outlet does besides taking events; called once, before anything else.
    ///
    /// The reporter gets trouble that is not about an event.
    ///
    /// - Throws: Why the outlet cannot work at all, as a sentence.
    func begin(_ reporter: SinkStatusReporter) throws

    /// Takes events, in order, until one is not taken or the task is cancelled.
    ///
    /// `settled` gets the verdict on each event, by its index: in order, on any thread, and before this
    /// returns. After a cancellation the outlet starts nothing new, and still reports each event that the
    /// other side has accepted.
    func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome

    /// Ends what the outlet does besides taking events.
    func end() async
}

extension DurableOutlet {
    package func begin(_ reporter: SinkStatusReporter) throws {}
    package func end() async {}
}

/// What became of one event.
package enum Verdict: Equatable, Sendable {
    /// The other side accepted it.
    case taken
    /// The other side refuses this event for good: why, in words. It becomes a dead letter.
    case refused(String)
}

/// Why an outlet stopped taking events.
package enum TakeOutcome: Equatable, Sendable {
    /// All events are settled.
    case all
    /// The first event that is not settled is given again: why, and the least time to wait.
    case later(String, after: Duration? = nil)
    /// The task was cancelled.
    case cancelled
}

/// Reports how a sink is doing: each trouble once, and again when it changes or is over.
package final class SinkStatusReporter: Sendable {
    package enum Notice: Equatable, Sendable {
        /// Events wait until this trouble is over.
        case trouble(String)
        /// Events go out again.
        case well
        /// Something to know that holds no event up.
        case warning(String)
    }

    private struct State {
        var trouble: String?
        var warnings: Set<String> = []
        var isRetired = false
    }

    private let state = Mutex(State())
    private let say: @Sendable (Notice) -> Void

    /// `say` gets what changed, on any thread.
    package init(_ say: @escaping @Sendable (Notice) -> Void) { self.say = say }

    /// Reports trouble that holds events up.
    package func trouble(_ text: String) {
        state.withLock { state in
            guard !state.isRetired, state.trouble != text else { return }
            state.trouble = text
            say(.trouble(text))
        }
    }

    /// Reports that events go out.
    package func well() {
        state.withLock { state in
            if !state.isRetired, state.trouble.take() != nil { say(.well) }
        }
    }

    /// Reports no more trouble: another sink has the name now.
    package func retire() { state.withLock { $0.isRetired = true } }

    /// Reports something that holds no event up, once.
    package func warn(_ text: String) {
        if state.withLock({ $0.warnings.insert(text).inserted }) { say(.warning(text)) }
    }
}
