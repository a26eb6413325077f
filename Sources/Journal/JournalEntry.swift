package import Events

/// An event as stored in the journal.
package struct JournalEntry: Equatable, Sendable {
    package let sequence: UInt64
    package let source: String
    package let id: String
    package let type: EventType
    package let time: EventTime
    /// The event as a JSON object without a line end: the bytes that every outlet sends.
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
    /// Events after the cursor that may be missing; nil if all of them are present.
    package let gap: JournalGap?
    /// The cursor after the last of the events, where the next page starts.
    package let next: Cursor
}

/// Events that a reader asked for but the journal does not contain.
package struct JournalGap: Equatable, Sendable {
    package enum Reason: String, Sendable {
        /// Retention removed them by age or size.
        case retention
        /// They were in a damaged journal and could not be read.
        case replaced
        /// The cursor belongs to a journal that this one does not know.
        case unknownEpoch = "unknown-epoch"
        /// The cursor is past the newest event: nothing is missing, and the next event follows.
        case ahead
    }

    package let first: UInt64
    /// The last number; below ``first`` if nothing of this journal is missing.
    package let last: UInt64
    package let reason: Reason

    package static func ahead(of newest: UInt64) -> Self {
        Self(first: newest + 1, last: newest, reason: .ahead)
    }
}
