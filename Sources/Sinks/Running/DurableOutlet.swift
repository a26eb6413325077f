import Events
package import Journal
import Synchronization
package import WebAPI
import WireText

/// A type that delivers a durable sink's events to a receiver, such as a broker.
package protocol DurableOutlet: Sendable {
    /// Starts background work, such as a connection; must be called before ``take(_:settled:)``.
    ///
    /// The outlet reports problems, such as a failed connection, to `reporter`.
    ///
    /// - Throws: An error that describes why the outlet cannot work now.
    func begin(_ reporter: SinkStatusReporter) throws

    /// Delivers committed events in order, until one must be sent again later or the task is cancelled.
    ///
    /// Calls never overlap. Before it returns, the outlet calls `settled` with the index and verdict of each settled
    /// event, in order and on any thread. After a cancellation, it sends no more events, but still reports those that
    /// the receiver has accepted.
    func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome

    /// Ends the work that ``begin(_:)`` started.
    func end() async

    /// Whether ``take(_:settled:)``, called without events, waits for a connection.
    var waitsForConnection: Bool { get }

    var isRefusedForCredentials: Bool { get }
}

/// The final result of delivering an event.
package enum Verdict: Equatable, Sendable {
    case taken
    /// The receiver will never accept the event, which becomes a dead letter; the string is the reason.
    case refused(String)
}

/// Why an outlet stopped delivering events.
package enum TakeOutcome: Equatable, Sendable {
    case all
    /// The first unsettled event must be delivered again, but not before `after` has passed; the string is the reason.
    case later(String, after: Duration? = nil)
    /// Like ``later(_:after:)``, but the wait is short, because the event has no subscriber yet.
    case held(String)
    case cancelled
}

package enum OutletAnswer: Equatable, Sendable {
    case settled(Verdict)
    /// The event must be sent again, but not before `after` has passed; the string is the reason.
    case later(String, after: Duration? = nil)
}

extension DurableOutlet {
    package func begin(_ reporter: SinkStatusReporter) throws {}
    package func end() async {}
    package var waitsForConnection: Bool { false }
    package var isRefusedForCredentials: Bool { false }

    /// Delivers events one at a time by calling `give`; `place` is the receiver's name in messages.
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

/// A thread-safe queue of settled events, from the outlet to the task that records them.
final class SettledEvents: Sendable {
    typealias Settled = (entry: JournalEntry, verdict: Verdict)

    /// A stream that yields when events have been settled (taken or refused for good); it ends after ``finish()``.
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    private let entries: [JournalEntry]
    private let state = Mutex((news: [Settled](), last: UInt64?.none))

    init(_ entries: [JournalEntry]) {
        self.entries = entries
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The sequence number of the last settled event; nil before the first.
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

    /// Returns the events settled since the previous call, each with its verdict.
    func takeNews() -> [Settled] {
        state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }
}

/// A reporter of changes in a sink's status, such as the start and end of trouble.
package final class SinkStatusReporter: Sendable {
    package enum Notice: Equatable, Sendable {
        /// A problem that keeps events waiting until it is solved.
        case trouble(String)
        /// An earlier problem has been solved, and the delivery of events has resumed.
        case well
        /// A problem that delays no event.
        case warning(String)
    }

    private struct State {
        /// The maximum number of warnings to remember; a remembered warning is not repeated.
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

    /// Creates a reporter that calls `say` with each new notice, on any thread.
    package init(_ say: @escaping @Sendable (Notice) -> Void) { self.say = say }

    package func report(_ notice: Notice) {
        state.withLock { if $0.isNews(notice) { say(notice) } }
    }

    /// Stops reporting trouble, because a new sink of the same name may report its own.
    package func retire() { state.withLock { $0.isRetired = true } }
}

/// Why a test of a sink failed.
package struct SinkTrouble: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Cause: Equatable, Sendable {
        /// A setting of the sink, or a file that it names, is unusable.
        case content
        case connection(ConnectionError)
        case credentials
        /// The receiver does not answer, or refuses for a reason other than credentials.
        case refusal
    }

    /// The problem, as one or more clauses without a full stop.
    package var description: String
    package var cause: Cause

    package init(_ description: String, _ cause: Cause) {
        self.description = description
        self.cause = cause
    }
}
