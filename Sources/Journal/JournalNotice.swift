import WireText

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

    /// Makes a loss.
    ///
    /// - Parameters:
    ///   - place: What there was no room in.
    ///   - policy: Which events were given up.
    ///   - first: The number of the first.
    ///   - last: The number of the last.
    ///   - count: How many.
    ///   - sinks: The sinks that had not taken all of them.
    package init(
        place: Place, policy: JournalSettings.WhenFull, first: UInt64, last: UInt64, count: Int,
        sinks: [String]
    ) {
        self.place = place
        self.policy = policy
        self.first = first
        self.last = last
        self.count = count
        self.sinks = sinks
    }
}

/// What was made of a damaged journal.
package struct JournalReplacement: Equatable, Sendable {
    /// What showed that it is damaged.
    package let reason: String
    /// Where the damaged file is; nil if the journal was restored from a copy, which stays.
    package let file: String?
    /// How many events were taken over.
    package let taken: Int
    /// In how many places events are missing.
    package let holes: Int
    /// The epoch that ended; nil where it could not be read.
    package let ended: Epoch?
    /// The epoch that began.
    package let epoch: Epoch

    /// Makes a replacement.
    ///
    /// - Parameters:
    ///   - reason: What showed that it is damaged.
    ///   - file: Where the damaged file is.
    ///   - taken: How many events were taken over.
    ///   - holes: In how many places events are missing.
    ///   - ended: The epoch that ended.
    ///   - epoch: The epoch that began.
    package init(
        reason: String, file: String?, taken: Int, holes: Int, ended: Epoch?, epoch: Epoch
    ) {
        self.reason = reason
        self.file = file
        self.taken = taken
        self.holes = holes
        self.ended = ended
        self.epoch = epoch
    }
}

extension JournalNotice {
    /// Whether it is bad news.
    package var isWarning: Bool { self != .recovered }
}

extension JournalNotice: CustomStringConvertible {
    /// One sentence.
    package var description: String {
        switch self {
        case .failing(let reason):
            "\(reason) Events go to the immediate outlets, and wait in memory for the journal."
        case .recovered: "The journal takes events again."
        case .full(let loss): loss.description
        case .replaced(let replacement): replacement.description
        }
    }
}

extension JournalLoss: CustomStringConvertible {
    /// One sentence.
    package var description: String {
        let range = first == last ? "\(first)" : "\(first) to \(last)"
        let cause =
            place == .journal
            ? "the journal is full" : "the journal's disk takes none and memory is full"
        switch policy {
        case .oldest where !sinks.isEmpty:
            return "\(cause): \(count.counted("event")) (\(range)) given up that had not reached "
                + sinks.map { $0.quoted() }.joined(separator: ", ") + "."
        case .oldest, .newest:
            return "\(cause): \(count.counted("event")) (\(range)) not journaled."
        }
    }
}

extension JournalReplacement: CustomStringConvertible {
    /// One sentence.
    package var description: String {
        let what = file.map {
            "was damaged (\(reason)) and is put aside as \($0.quoted(upTo: .max))"
        }
        return "The journal \(what ?? "was restored from a copy (\(reason))"): "
            + "\(taken.counted("event")) taken over, "
            + (holes == 0 ? "none missing." : "some missing in \(holes.counted("place")).")
    }
}
