package import Events

/// An event as the journal keeps it.
package struct JournalEntry: Equatable, Sendable {
    /// Its place among the events of the journal.
    package let sequence: UInt64
    /// The `source` of the event.
    package let source: String
    /// The `id` of the event.
    package let id: String
    /// What it tells.
    package let type: EventType
    /// When it happened.
    package let time: EventTime
    /// The event as one JSON object, without a line end: the bytes that every outlet sends.
    package let line: [UInt8]

    /// Takes an event.
    ///
    /// - Parameter event: The event.
    package init(_ event: Event) {
        self.init(
            sequence: event.sequence, source: event.source, id: event.id, type: event.type,
            time: event.time, line: event.line)
    }

    init(
        sequence: UInt64, source: String, id: String, type: EventType, time: EventTime,
        line: [UInt8]
    ) {
        self.sequence = sequence
        self.source = source
        self.id = id
        self.type = type
        self.time = time
        self.line = line
    }
}
