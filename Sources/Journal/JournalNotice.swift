import WireText

/// A report from the journal, which the daemon logs and may also publish as an event.
package enum JournalNotice: Equatable, Sendable, CustomStringConvertible {
    /// Events cannot be written; they wait in memory until the journal recovers.
    case failing(reason: String)
    case recovered
    case full(JournalLoss)
    case replaced(JournalReplacement)

    package var isWarning: Bool { self != .recovered }

    package var description: String {
        switch self {
        case .failing(let reason):
            "\(reason) Events go to the immediate outlets, and wait in memory for the journal."
        case .recovered: "The journal accepts events again."
        case .full(let loss): loss.sentence
        case .replaced(let replacement): replacement.sentence
        }
    }
}

/// Events or dead letters that were dropped because there was no room for them.
package struct JournalLoss: Equatable, Sendable {
    package enum Place: String, Sendable {
        case journal, memory
        case deadLetters = "dead_letters"
    }

    package let place: Place
    package let policy: JournalSettings.WhenFull
    package var first: UInt64
    package var last: UInt64
    package var count = 1
    /// For removed events, the sinks that still needed them; for dead letters, the sinks that had refused them.
    package var sinks: [String] = []

    mutating func merge(_ next: JournalLoss) {
        first = min(first, next.first)
        last = max(last, next.last)
        count += next.count
        sinks = Set(sinks).union(next.sinks).sorted()
    }

    fileprivate var sentence: String {
        let range = first == last ? "\(first)" : "\(first) to \(last)"
        let names = sinks.map { $0.quoted() }.joined(separator: ", ")
        let what = "\(count.counted(place == .deadLetters ? "dead letter" : "event")) (\(range))"
        return switch place {
        case .deadLetters: "the dead letters are full: the oldest \(what) of \(names) removed."
        case .journal where policy == .oldest && !sinks.isEmpty:
            "the journal is full: \(what) removed that had not reached \(names)."
        case .journal: "the journal is full: \(what) not journaled."
        case .memory: "too many events wait for the journal's disk: \(what) not journaled."
        }
    }
}

extension JournalLoss? {
    mutating func merge(_ next: JournalLoss) {
        if self?.merge(next) == nil { self = next }
    }
}

package struct JournalReplacement: Equatable, Sendable {
    package let reason: String
    /// The path to which the damaged file was moved; nil if the journal was restored from a copy.
    package let file: String?
    package let taken: Int
    /// The number of ranges in which events are missing.
    package let holes: Int
    /// The epoch that ended; nil if it could not be read.
    package let ended: Epoch?
    package let epoch: Epoch

    fileprivate var sentence: String {
        let what = file.map {
            "was damaged (\(reason)) and is put aside as \($0.quoted(upTo: .max))"
        }
        return "The journal \(what ?? "was restored from a copy (\(reason))"): "
            + "\(taken.counted("event")) taken over, "
            + (holes == 0 ? "none missing." : "some missing in \(holes.counted("place")).")
    }
}
