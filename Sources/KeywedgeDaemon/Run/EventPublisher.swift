public import Events

/// Numbers events and sends them to every sink, in one order for all.
public actor EventPublisher {
    private var events: EventFactory
    private let sinks: [any EventSink]

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - events: Numbers the events.
    ///   - sinks: Where they go.
    public init(events: EventFactory, sinks: [any EventSink]) {
        self.events = events
        self.sinks = sinks
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

    /// Numbers an event and sends it.
    ///
    /// - Parameter draft: The event.
    /// - Throws: What a sink throws.
    public func publish(_ draft: EventDraft) async throws {
        let event = events.event(draft)
        for sink in sinks { try await sink.send(event) }
    }
}
