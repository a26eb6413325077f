package import Journal
import Synchronization

/// Where a durable sink's events go: a broker, a web server, a command.
package protocol DurableOutlet: Sendable {
    /// Starts what the outlet does besides taking events; called once, before anything else.
    ///
    /// The reporter gets trouble that is not about an event.
    ///
    /// - Throws: Why the outlet cannot work at all, as a sentence.
    func begin(_ reporter: SinkStatusReporter) throws

    /// Takes committed events, in order, until one is not taken or the task is cancelled; two calls never
    /// overlap.
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

/// The final answer to one event.
package enum Verdict: Equatable, Sendable {
    case taken
    /// The other side refuses this event for good: why, in words. It becomes a dead letter.
    case refused(String)
}

/// Why an outlet stopped taking events.
package enum TakeOutcome: Equatable, Sendable {
    case all
    /// The first event that is not settled is given again: why, and the least time to wait.
    case later(String, after: Duration? = nil)
    case cancelled
}

/// The answer of the other side to one event.
package enum OutletAnswer: Equatable, Sendable {
    case settled(Verdict)
    /// The event is given again: why, and the least time to wait.
    case later(String, after: Duration? = nil)
}

extension DurableOutlet {
    package func begin(_ reporter: SinkStatusReporter) throws {}
    package func end() async {}

    /// Gives events to `place`, one after another.
    func take(
        _ entries: [JournalEntry], at place: String, settled: (Int, Verdict) -> Void,
        _ give: (JournalEntry) async -> OutletAnswer
    ) async -> TakeOutcome {
        for (index, entry) in entries.enumerated() {
            guard !Task.isCancelled else { return .cancelled }
            switch await give(entry) {
            case .settled(let verdict): settled(index, verdict)
            case .later(let reason, let wait):
                return Task.isCancelled ? .cancelled : .later("\(place): \(reason)", after: wait)
            }
        }
        return .all
    }
}

/// The events of a page that the outlet has settled: added on any thread, recorded by a task.
final class SettledEvents: Sendable {
    typealias Settled = (entry: JournalEntry, verdict: Verdict)

    /// Has an element when there is something to record, and ends when nothing more will come.
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    private let entries: [JournalEntry]
    private let state = Mutex((news: [Settled](), last: UInt64?.none))

    init(_ entries: [JournalEntry]) {
        self.entries = entries
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The number of the last event that is settled; nil if none is.
    var last: UInt64? { state.withLock { $0.last } }

    @Sendable func add(_ index: Int, _ verdict: Verdict) {
        let entry = entries[index]
        state.withLock { state in
            state.news.append((entry, verdict))
            state.last = entry.sequence
        }
        change.yield()
    }

    func finish() { change.finish() }

    /// Removes and returns what is not recorded yet.
    func takeNews() -> [Settled] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }
}

/// Reports how a sink is doing: each trouble once, and again when it changes or is over.
package final class SinkStatusReporter: Sendable {
    package enum Notice: Equatable, Sendable {
        /// Events wait until this trouble is over.
        case trouble(String)
        /// Events go out again.
        case well
        /// Worth knowing, but it holds no event up.
        case warning(String)
    }

    private struct State {
        var trouble: String?
        var warnings: Set<String> = []
        var isRetired = false

        mutating func isNews(_ notice: Notice) -> Bool {
            switch notice {
            case .warning(let text): return warnings.insert(text).inserted
            case .trouble, .well:
                let former = trouble
                trouble = if case .trouble(let text) = notice { text } else { nil }
                return trouble != former && !isRetired
            }
        }
    }

    private let state = Mutex(State())
    private let say: @Sendable (Notice) -> Void

    /// `say` gets what is new, on any thread.
    package init(_ say: @escaping @Sendable (Notice) -> Void) { self.say = say }

    package func report(_ notice: Notice) {
        state.withLock { if $0.isNews(notice) { say(notice) } }
    }

    /// Reports only warnings from now on: another sink has the name.
    package func retire() { state.withLock { $0.isRetired = true } }
}
