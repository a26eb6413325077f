/// What a journal has to tell, besides events.
package enum JournalNotice: Equatable, Sendable {
    /// Events can no longer be written: why. They wait in memory, and the journal is tried again.
    case failing(reason: String)
    /// Events are written again; those that waited are.
    case recovered
    /// Events were given up for want of room.
    case full(JournalLoss)
    /// A damaged journal was put aside, and another begun.
    case replaced(JournalReplacement)
}

/// Events that were given up for want of room.
package struct JournalLoss: Equatable, Sendable {
    /// What there was no room in.
    package enum Place: String, Sendable {
        /// The journal has the size it may have.
        case journal
        /// Events waited in memory for a disk that takes none.
        case memory
    }

    /// What there was no room in.
    package let place: Place
    /// Which events were given up.
    package let policy: JournalSettings.WhenFull
    /// The number of the first that was given up.
    package var first: UInt64
    /// The number of the last.
    package var last: UInt64
    /// How many.
    package var count: Int
    /// The sinks that had not taken all of them.
    package let sinks: [String]
}

/// What was made of a damaged journal.
package struct JournalReplacement: Equatable, Sendable {
    /// What showed that it is damaged.
    package let reason: String
    /// Where the damaged file is.
    package let file: String
    /// How many events were taken over.
    package let taken: Int
    /// How many events are known to be lost; those that left no trace are not counted.
    package let lost: Int
    /// The epoch that ended; nil where it could not be read.
    package let ended: Epoch?
    /// The epoch that began.
    package let epoch: Epoch
}
