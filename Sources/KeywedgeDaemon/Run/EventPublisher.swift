public import Events
import Keystrokes

/// Numbers events and sends them to every sink, in one order for all.
public actor EventPublisher {
    private var events: EventFactory
    private let sinks: [any EventSink]
    private let slot: ReadySlot?
    /// What numbers events once the one in the slot is released.
    private var eventsAfterReady: EventFactory?
    /// How many events are on their way to the sinks, or have failed to get there.
    private(set) var unsentCount = 0

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - events: Numbers the events.
    ///   - sinks: Where they go.
    public init(events: EventFactory, sinks: [any EventSink]) {
        self.init(events: events, sinks: sinks, slot: nil)
    }

    /// Makes a publisher.
    ///
    /// - Parameters:
    ///   - events: Numbers the events.
    ///   - sinks: Where they go.
    ///   - slot: Where an event can lie ready; it leads to where the sinks lead.
    init(events: EventFactory, sinks: [any EventSink], slot: ReadySlot?) {
        self.events = events
        self.sinks = sinks
        self.slot = slot
    }

    /// Numbers an event and sends it.
    ///
    /// - Parameter draft: The event.
    /// - Throws: What a sink throws.
    public func publish(_ draft: EventDraft) async throws {
        settle()
        let event = events.event(draft)
        unsentCount += 1
        for sink in sinks { try await sink.send(event) }
        unsentCount -= 1
    }

    /// Numbers the event of a scan as far as it has come, and puts it where the last key releases
    /// it; unless others are on their way.
    ///
    /// - Parameters:
    ///   - draft: The event.
    ///   - scan: The scan as far as it has come.
    ///   - scanner: The name of its scanner.
    ///   - made: What the monotonic clock showed before the product was looked up.
    func getReady(
        _ draft: EventDraft, for scan: Scan, from scanner: String, madeAt made: Int64
    ) {
        settle()
        guard let slot, unsentCount == 0 else { return }
        var after = events
        let event = after.event(draft)
        guard let ready = ReadyScan(event, for: scan, from: scanner, madeAt: made) else { return }
        eventsAfterReady = after
        slot.put(ready)
    }

    /// Takes back what lies ready, or its number where it was released.
    private func settle() {
        guard let slot, let after = eventsAfterReady.take() else { return }
        if slot.takeBack() { events = after }
    }
}
