import WireText

/// What a journal reports, besides events.
package enum JournalNotice: Equatable, Sendable {
    /// Events can no longer be written, and wait in memory until the journal recovers.
    case failing(reason: String)
    /// Events are written again, also those that waited.
    case recovered
    /// Events or dead letters were given up for lack of room.
    case full(JournalLoss)
    /// A damaged journal was put aside, and another begun.
    case replaced(JournalReplacement)
}

/// A range of events or dead letters that were given up for lack of room.
package struct JournalLoss: Equatable, Sendable {
    /// What had no room.
    package enum Place: String, Sendable {
        /// The journal has the size it may have.
        case journal
        /// Events that wait for the disk have filled memory.
        case memory
        /// The dead letters have the size they may have.
        case deadLetters = "dead_letters"
    }

    package let place: Place
    /// Which events were given up.
    package let policy: JournalSettings.WhenFull
    /// The lowest number that was given up.
    package var first: UInt64
    /// The highest.
    package var last: UInt64
    package var count: Int
    /// The sinks that had not accepted all of them; for dead letters, the sinks that refused them.
    package var sinks: [String]

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

    /// This loss and one that followed it, as one.
    func merged(with next: JournalLoss) -> JournalLoss {
        JournalLoss(
            place: place, policy: policy, first: min(first, next.first), last: max(last, next.last),
            count: count + next.count, sinks: Set(sinks).union(next.sinks).sorted())
    }
}

/// How a damaged journal was replaced.
package struct JournalReplacement: Equatable, Sendable {
    /// What showed the damage.
    package let reason: String
    /// The new path of the damaged file; nil if the journal was restored from a copy, and stays.
    package let file: String?
    /// How many events were taken over.
    package let taken: Int
    /// In how many places events are missing.
    package let holes: Int
    /// The epoch that ended; nil if it could not be read.
    package let ended: Epoch?
    /// The epoch that began.
    package let epoch: Epoch

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
        case .recovered: "The journal accepts events again."
        case .full(let loss): loss.description
        case .replaced(let replacement): replacement.description
        }
    }
}

extension JournalLoss: CustomStringConvertible {
    /// One sentence.
    package var description: String {
        let range = first == last ? "\(first)" : "\(first) to \(last)"
        let names = sinks.map { $0.quoted() }.joined(separator: ", ")
        let what = "\(count.counted(place == .deadLetters ? "dead letter" : "event")) (\(range))"
        switch (place, policy) {
        case (.deadLetters, _):
            return "the dead letters are full: the oldest \(what) of \(names) removed."
        case (.journal, .oldest) where !sinks.isEmpty:
            return "the journal is full: \(what) removed that had not reached \(names)."
        case (.journal, _): return "the journal is full: \(what) not journaled."
        case (.memory, _):
            return "too many events wait for the journal's disk: \(what) not journaled."
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
