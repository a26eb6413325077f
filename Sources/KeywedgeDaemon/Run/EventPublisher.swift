package import Events
import Glibc
package import Journal

/// Numbers events and sends them to every sink, in one order for all, and to the journal.
package actor EventPublisher {
    private var events: EventFactory
    private let sinks: [any EventSink]
    private let journal: EventJournal?

    /// Makes a publisher without a journal.
    ///
    /// - Parameters:
    ///   - events: Numbers the events.
    ///   - sinks: Where they go.
    package init(events: EventFactory, sinks: [any EventSink]) {
        self.events = events
        self.sinks = sinks
        journal = nil
    }

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - events: Numbers the events; it takes the numbers of the journal, where there is one.
    ///   - sinks: Where they go at once.
    ///   - journal: Where they are kept.
    package init(events: EventFactory, sinks: [any EventSink], journal: EventJournal?) {
        self.events = events
        self.sinks = sinks
        self.journal = journal
    }

    /// Has all sinks tell when nobody takes events any more.
    ///
    /// - Parameter body: Takes what sending an event would throw; called on any thread.
    /// - Throws: What keeps a sink from watching.
    package nonisolated func whenAbandoned(
        _ body: @escaping @Sendable (any Error) -> Void
    ) throws {
        for sink in sinks { try sink.whenAbandoned(body) }
    }

    /// The number of the last event.
    var lastSequence: UInt64 { events.sequence }

    /// No more events come.
    nonisolated func finish() {
        for case let sink as JournaledSink in sinks { sink.finish() }
    }

    /// Numbers an event and sends it.
    ///
    /// Every sink gets it at once as far as it takes it, and then the journal; only after that is a
    /// slow sink waited for. So the journal has it whatever becomes of the sinks.
    ///
    /// - Parameter draft: The event.
    /// - Throws: What a sink throws.
    package func publish(_ draft: EventDraft) async throws {
        let event = events.event(draft)
        let sent = sinks.map { sink in Result { try sink.sendAtOnce(event) } }
        journal?.append(JournalEntry(event))
        for (sink, sending) in zip(sinks, sent) {
            switch try sending.get() {
            case .done: break
            case .unfinished: try await sink.flush()
            case .notTaken: try await sink.send(event)
            }
        }
    }
}

/// The clocks of the box: tells the time of day of a monotonic timestamp.
package struct SystemClock: Sendable {
    package init() {}

    /// The time of day now.
    package var now: EventTime {
        EventTime(microsecondsSince1970: Self.microseconds(of: CLOCK_REALTIME))
    }

    /// The time of day at which the monotonic clock showed a value.
    ///
    /// Both clocks are read each time, since the time of day can be set while the daemon runs.
    ///
    /// - Parameter monotonicMicroseconds: What the monotonic clock showed.
    /// - Returns: The time of day; now, for a value in the future.
    package func time(at monotonicMicroseconds: Int64) -> EventTime {
        let age = Self.microseconds(of: CLOCK_MONOTONIC)
            .subtractingReportingOverflow(monotonicMicroseconds)
        return now.advanced(byMicroseconds: age.overflow ? 0 : -max(0, age.partialValue))
    }

    private static func microseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
