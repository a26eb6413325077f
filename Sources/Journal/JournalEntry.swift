package import Events

package struct JournalEntry: Equatable, Sendable {
    package let sequence: UInt64
    package let source: String
    package let id: String
    package let type: EventType
    package let time: EventTime
    /// The event as a JSON object without a line feed, exactly as sinks and consumers get it.
    package let line: [UInt8]
}

extension JournalEntry {
    package init(_ event: Event) {
        self.init(
            sequence: event.sequence, source: event.source, id: event.id, type: event.type,
            time: event.time, line: event.line)
    }
}

package struct JournalPage: Equatable, Sendable {
    package let entries: [JournalEntry]
    /// The events missing before the first entry, if any.
    package let gap: JournalGap?
    package let next: Cursor
}

/// A range of events that a reader requested but the journal does not contain.
package struct JournalGap: Equatable, Sendable {
    package enum Reason: String, Sendable {
        case retention
        /// The events were lost when a damaged journal was replaced, or are newer than the copy from which the
        /// journal was restored.
        case replaced
        case unknownEpoch = "unknown-epoch"
        /// The cursor is past the newest event, so no event is missing.
        case ahead
    }

    package let first: UInt64
    /// The number of the last missing event; below ``first`` if none is missing.
    package let last: UInt64
    package let reason: Reason

    package static func ahead(of newest: UInt64) -> Self {
        Self(first: newest + 1, last: newest, reason: .ahead)
    }
}
