import Events
package import Journal
import Logging
import ServiceLifecycle
import Synchronization
import WireText

/// The open journal of a daemon, and its notices.
package struct DaemonJournal: Sendable {
    package let journal: EventJournal
    let notices: AsyncStream<JournalNotice>
    private let queue: AsyncStream<JournalNotice>.Continuation

    /// Opens a journal that keeps what the named durable sinks have not accepted yet.
    ///
    /// - Throws: `JournalError` if the file is no journal, in use, or from a newer keywedge.
    package init(opening settings: JournalSettings, sinks: Set<String>) throws {
        let (notices, queue) = AsyncStream<JournalNotice>.makeStream(
            bufferingPolicy: .bufferingNewest(100))
        journal = try EventJournal(opening: settings, sinks: sinks) { queue.yield($0) }
        self.notices = notices
        self.queue = queue
    }

    /// Ends ``notices`` after those already in it.
    func endNotices() { queue.finish() }
}

/// Reports the journal's notices: in the log, and as events.
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
                log.log(level: notice.isWarning ? .error : .notice, "\(notice)")
                guard let draft = notice.draft(at: clock.now) else { continue }
                try await publisher.publish(draft)
            }
        } onGracefulShutdown: {
            journal.endNotices()
        }
    }
}

extension JournalNotice {
    /// The event of a notice; nil if it belongs only in the log.
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
            "reason": .string(reason), "file": file.map(JSONValue.string) ?? .null,
            "taken_over": .integer(Int64(taken)), "holes": .integer(Int64(holes)),
            "ended": ended.map { .string($0.description) } ?? .null,
            "epoch": .string(epoch.description),
        ]
    }
}

/// A sink that gets events once they are on the journal's disk.
///
/// It also gets those that the journal gave up for lack of room, since no other sink would.
final class JournaledSink: EventSink, Service, CustomStringConvertible {
    private let sink: any EventSink
    private let journal: EventJournal
    private let events: AsyncStream<Event>
    private let queue: AsyncStream<Event>.Continuation
    private let failure = Mutex<(any Error)?>(nil)

    /// See ``ScannerService/description``.
    var description: String { "journaled events" }

    init(_ sink: any EventSink, behind journal: EventJournal) {
        self.sink = sink
        self.journal = journal
        (events, queue) = AsyncStream.makeStream()
    }

    /// Enqueues an event; the queue holds no more than the journal lets wait.
    func sendAtOnce(_ event: Event) throws -> Sending {
        if let error = failure.withLock({ $0 }) { throw error }
        queue.yield(event)
        return .done
    }

    nonisolated(nonsending) func send(_ event: Event) async throws { _ = try sendAtOnce(event) }

    func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws {
        try sink.whenAbandoned(body)
    }

    /// Sends committed events until ``finish()``.
    func sendAll() async throws {
        do {
            for await event in events {
                try await journal.committed(event.sequence)
                try await sink.send(event)
            }
        } catch {
            failure.withLock { $0 = error }
            throw error
        }
    }

    /// Sends committed events, and ends when the group does: a service that ends earlier during the
    /// shutdown ends the group with an error.
    func run() async throws {
        try await sendAll()
        try? await gracefulShutdown()
    }

    /// Ends ``sendAll()`` after the events already enqueued.
    func finish() { queue.finish() }
}
