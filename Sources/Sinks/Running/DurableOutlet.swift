import Events
package import Journal
import Synchronization
package import WebAPI
import WireText

/// The destination of a durable sink's events: a broker, a web server, a command.
package protocol DurableOutlet: Sendable {
    /// Starts the outlet's own work besides taking events; called before anything else.
    ///
    /// The outlet reports trouble that does not concern an event to the reporter.
    ///
    /// - Throws: The reason why the outlet cannot work now, as a sentence.
    func begin(_ reporter: SinkStatusReporter) throws

    /// Takes committed events, in order, until it cannot take one or the task is cancelled; calls never overlap.
    ///
    /// The outlet calls `settled` with the index of each event and the verdict on it: in order, on any thread, and
    /// before this returns. After a cancellation the outlet starts nothing new, but still reports each event that the
    /// other side has accepted.
    func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome

    /// Ends the outlet's own work besides taking events.
    func end() async

    /// Whether ``take(_:settled:)`` without events waits until the other side accepts a connection.
    var waitsForConnection: Bool { get }

    /// Whether the other side has refused the user or the password.
    var isRefusedForCredentials: Bool { get }
}

/// The final answer to one event.
package enum Verdict: Equatable, Sendable {
    case taken
    /// The other side refuses this event permanently, for this reason. It becomes a dead letter.
    case refused(String)
}

/// The reason why an outlet stopped taking events.
package enum TakeOutcome: Equatable, Sendable {
    case all
    /// The outlet receives the first unsettled event again after at least this time; the string is the reason.
    case later(String, after: Duration? = nil)
    /// The first unsettled event has no receiver now, and is delivered again soon; the string is the reason.
    case held(String)
    case cancelled
}

/// The answer of the other side to one event.
package enum OutletAnswer: Equatable, Sendable {
    case settled(Verdict)
    /// The event must be sent again after at least this time; the string is the reason.
    case later(String, after: Duration? = nil)
}

extension DurableOutlet {
    package func begin(_ reporter: SinkStatusReporter) throws {}
    package func end() async {}
    package var waitsForConnection: Bool { false }
    package var isRefusedForCredentials: Bool { false }

    /// Passes events to `give`, one after another; `place` names the receiver in messages.
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

/// The events of a page that the outlet has settled; any thread can add to them, and one task records them.
final class SettledEvents: Sendable {
    typealias Settled = (entry: JournalEntry, verdict: Verdict)

    /// Yields an element when there is something to record, and ends after the last.
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    private let entries: [JournalEntry]
    private let state = Mutex((news: [Settled](), last: UInt64?.none))

    init(_ entries: [JournalEntry]) {
        self.entries = entries
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The number of the last settled event; nil if no event is settled.
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

    /// Removes and returns the events that are not recorded yet.
    func takeNews() -> [Settled] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }
}

/// Reports how a sink is doing: each trouble once, and again only when it changes or is over.
package final class SinkStatusReporter: Sendable {
    package enum Notice: Equatable, Sendable {
        /// Events wait until this trouble is over.
        case trouble(String)
        /// The trouble is over, and events are sent again.
        case well
        /// Something worth knowing that holds up no event.
        case warning(String)
    }

    private struct State {
        /// The maximum number of warnings to remember.
        static let limit = 1000

        var trouble: String?
        var warnings: Set<String> = []
        var isRetired = false

        mutating func isNews(_ notice: Notice) -> Bool {
            switch notice {
            case .warning(let text):
                if warnings.count >= Self.limit { warnings = [] }
                return warnings.insert(text).inserted
            case .trouble, .well:
                let former = trouble
                trouble = if case .trouble(let text) = notice { text } else { nil }
                return trouble != former && !isRetired
            }
        }
    }

    private let state = Mutex(State())
    private let say: @Sendable (Notice) -> Void

    /// Makes a reporter that calls `say` with each new notice, on any thread.
    package init(_ say: @escaping @Sendable (Notice) -> Void) { self.say = say }

    package func report(_ notice: Notice) {
        state.withLock { if $0.isNews(notice) { say(notice) } }
    }

    /// Reports only warnings from now on, because another sink now uses the name.
    package func retire() { state.withLock { $0.isRetired = true } }
}

/// The reason why the trial of a sink failed.
package struct SinkTrouble: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Cause: Equatable, Sendable {
        /// The content of one of its files is unusable.
        case content
        /// There is no connection.
        case connection(ConnectionError)
        /// The other side does not accept the user or the password.
        case credentials
        /// The other side refuses for another reason, or does not answer.
        case refusal
    }

    /// The description, as clauses of a sentence.
    package var description: String
    package var cause: Cause

    package init(_ description: String, _ cause: Cause) {
        self.description = description
        self.cause = cause
    }
}
