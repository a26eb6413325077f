import Events
package import Journal
package import Logging
import ServiceLifecycle
import WireText

package struct DaemonJournal: Sendable {
    package let journal: EventJournal
    let notices: AsyncStream<JournalNotice>
    fileprivate let queue: AsyncStream<JournalNotice>.Continuation

    /// Opens a journal that keeps events until the named durable sinks have accepted them.
    package init(opening settings: JournalSettings, sinks: Set<String>, log: Logger) throws {
        let (notices, queue) = AsyncStream<JournalNotice>.makeStream(
            bufferingPolicy: .bufferingNewest(100))
        journal = try EventJournal(opening: settings, sinks: sinks) { notice in
            // The journal's last notices may arrive after the reporter has ended.
            if case .terminated = queue.yield(notice) { notice.record(in: log) }
        }
        self.notices = notices
        self.queue = queue
    }
}

/// A service that writes the journal's notices to the log, and publishes events about some of them.
struct JournalReporter: Service {
    let journal: DaemonJournal
    let publisher: EventPublisher
    let log: Logger

    func run() async throws {
        try await withGracefulShutdownHandler {
            for await notice in journal.notices {
                notice.record(in: log)
                guard let draft = notice.draft(at: SystemClock.now) else { continue }
                try await publisher.publish(draft)
            }
        } onGracefulShutdown: {
            journal.queue.finish()
        }
    }
}

extension JournalNotice {
    fileprivate func record(in log: Logger) {
        log.log(level: isWarning ? .error : .notice, "\(self)")
    }

    /// Returns the event to publish about this journal notice; nil if the notice is only logged.
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

struct JournalClosing: Service {
    private struct UnjournaledEvents: Error, CustomStringConvertible { let description: String }

    let journal: EventJournal

    func run() async throws {
        try? await gracefulShutdown()
        let lost = await journal.close()
        guard lost > 0 else { return }
        let events = lost.counted("event was", "events were")
        throw UnjournaledEvents(
            description: "\(events) not journaled: the journal could not be written to")
    }
}
