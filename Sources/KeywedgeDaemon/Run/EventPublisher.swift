public import Events
package import Journal

/// Numbers events and sends them to every sink, in one order for all, and to the journal.
public actor EventPublisher {
    private var events: EventFactory
    private let sinks: [any EventSink]
    private let journal: EventJournal?

    /// Makes a publisher without a journal.
    ///
    /// - Parameters:
    ///   - events: Numbers the events.
    ///   - sinks: Where they go.
    public init(events: EventFactory, sinks: [any EventSink]) {
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
    public nonisolated func whenAbandoned(
        _ body: @escaping @Sendable (any Error) -> Void
    ) throws {
        for sink in sinks { try sink.whenAbandoned(body) }
    }

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
    public func publish(_ draft: EventDraft) async throws {
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
