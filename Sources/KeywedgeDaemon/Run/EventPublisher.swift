package import Events
import Glibc
package import Journal

/// A publisher that numbers events, and sends them to the journal and to all sinks in the same order.
package actor EventPublisher {
    private var events: EventFactory
    private let sinks: [any EventSink]
    private let journal: EventJournal?

    /// Creates a publisher; if `journal` is not nil, `events` must get its numbers from the journal.
    package init(
        events: EventFactory, sinks: [any EventSink], journal: EventJournal? = nil
    ) {
        self.events = events
        self.sinks = sinks
        self.journal = journal
    }

    /// Calls `body` on any thread as soon as no program reads a sink's output any more.
    ///
    /// `body` receives the error that sending an event would now throw.
    package nonisolated func whenAbandoned(
        _ body: @escaping @Sendable (any Error) -> Void
    ) throws {
        for sink in sinks { try sink.whenAbandoned(body) }
    }

    var lastSequence: UInt64 { events.sequence }

    /// Waits until the sinks and the journal have room for more events, or the task is cancelled.
    package nonisolated func room() async {
        for sink in sinks { await sink.room() }
        try? await journal?.room()
    }

    /// Numbers an event, and sends it to the journal and then to the sinks.
    ///
    /// The journal comes first, so that a consumer that receives the event from a sink can immediately store its
    /// cursor.
    ///
    /// - Throws: A sink's error, after all sinks have received the event.
    package func publish(_ draft: EventDraft) throws {
        let event = events.event(draft)
        journal?.append(JournalEntry(event))
        let sent = sinks.map { sink in Result { try sink.send(event) } }
        for outcome in sent { try outcome.get() }
    }
}

package enum SystemClock {
    package static var now: EventTime {
        EventTime(microsecondsSince1970: microseconds(of: CLOCK_REALTIME))
    }

    /// Converts a monotonic timestamp to the system clock's time; a future timestamp becomes the current time.
    ///
    /// Each call reads both clocks, because the system clock can be set while the daemon runs.
    package static func time(at monotonicMicroseconds: Int64) -> EventTime {
        let age = microseconds(of: CLOCK_MONOTONIC).span(since: monotonicMicroseconds)
        return now.advanced(byMicroseconds: -age)
    }

    private static func microseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

extension Int64 {
    /// Returns the microseconds since an earlier time; 0 if the clock stepped back.
    func span(since earlier: Int64) -> Int64 {
        let span = subtractingReportingOverflow(earlier)
        return span.overflow ? 0 : Swift.max(0, span.partialValue)
    }
}
