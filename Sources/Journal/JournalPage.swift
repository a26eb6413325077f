/// Events of the journal, in their order.
package struct JournalPage: Equatable, Sendable {
    /// The events; empty where there is none behind the cursor.
    package let entries: [JournalEntry]
    /// Events behind the cursor that may be missing; nil where nothing is.
    ///
    /// Retention took them, or the cursor is of a journal that was put aside.
    package let gap: JournalGap?
    /// Behind the last of the events: where the next page begins.
    package let next: Cursor
}

/// Events that a reader asked for, and that the journal has not.
package struct JournalGap: Equatable, Sendable {
    /// Why they are missing.
    package enum Reason: String, Sendable {
        /// They were older or more than the journal keeps.
        case retention
        /// The journal they were in was damaged; what could be read of it is here.
        case replaced
        /// The cursor is of a journal that this one knows nothing of.
        case unknownEpoch = "unknown-epoch"
        /// The cursor is ahead of all events: nothing is missing, and the next event follows.
        case ahead
    }

    /// The number of the first event that may be missing.
    package let first: UInt64
    /// The number of the last; below ``first`` where nothing of this journal is missing.
    package let last: UInt64
    /// Why.
    package let reason: Reason

    /// What a reader misses whose cursor is ahead of the newest event: nothing.
    package static func ahead(of newest: UInt64) -> Self {
        Self(first: newest + 1, last: newest, reason: .ahead)
    }
}
