import Events
package import Journal
import Logging
import ServiceLifecycle
import WireText

/// Tells what the journal notices: in the log, and as events.
struct JournalReporter: Service, CustomStringConvertible {
    let journal: DaemonJournal
    let publisher: EventPublisher
    let clock: SystemClock
    let log: Logger

    /// See ``ScannerService/description``.
    var description: String { "journal" }

    func run() async throws {
        try await withGracefulShutdownHandler {
            for await notice in journal.notices {
                log.tell(notice)
                guard let draft = notice.draft(at: clock.now) else { continue }
                try await publisher.publish(draft)
            }
        } onGracefulShutdown: {
            journal.endNotices()
        }
    }
}

extension Logger {
    /// Tells what a journal noticed.
    func tell(_ notice: JournalNotice) {
        log(level: notice.isWarning ? .error : .notice, "\(notice)")
    }
}

extension JournalNotice {
    /// The event that tells of it; nil where only the log does.
    func draft(at time: EventTime) -> EventDraft? {
        switch self {
        case .failing, .recovered: nil
        case .full(let loss): EventDraft(.journalFull, time: time, data: loss.data)
        case .replaced(let replacement):
            EventDraft(.journalReplaced, time: time, data: replacement.data)
        }
    }
}

extension JournalLoss {
    fileprivate var data: JSONObject {
        [
            "place": .string(place.rawValue), "given_up": .string(policy.rawValue),
            "first": .string(Event.text(ofSequence: first)),
            "last": .string(Event.text(ofSequence: last)), "count": .integer(Int64(count)),
            "sinks": .array(sinks.map(JSONValue.string)),
        ]
    }
}

extension JournalReplacement {
    fileprivate var data: JSONObject {
        [
            "reason": .string(reason), "file": .string(file), "taken_over": .integer(Int64(taken)),
            "holes": .integer(Int64(holes)),
            "ended": ended.map { .string($0.description) } ?? .null,
            "epoch": .string(epoch.description),
        ]
    }
}

/// The journal of a daemon, open, and what it has to tell.
package struct DaemonJournal: Sendable {
    package let journal: EventJournal
    let notices: AsyncStream<JournalNotice>
    private let queue: AsyncStream<JournalNotice>.Continuation

    /// Opens a journal.
    ///
    /// - Parameters:
    ///   - settings: Where it is, and how much is kept.
    ///   - sinks: The names of the durable sinks: what they have not taken is kept.
    /// - Throws: `JournalError`, for a file that is no journal, of a newer keywedge, or in use.
    package init(opening settings: JournalSettings, sinks: Set<String>) throws {
        let (notices, queue) = AsyncStream<JournalNotice>.makeStream(
            bufferingPolicy: .bufferingNewest(100))
        journal = try EventJournal(opening: settings, sinks: sinks) { queue.yield($0) }
        self.notices = notices
        self.queue = queue
    }

    /// No more notices are wanted: those that came are still in ``notices``.
    func endNotices() { queue.finish() }
}
