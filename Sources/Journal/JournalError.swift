import WireText

/// Why a journal cannot be used, or does not take something.
package enum JournalError: Error, Equatable, Sendable {
    /// There is no such file.
    case missing(path: String)
    /// The file is something else: no SQLite database, or one without the journal's tables.
    case notAJournal(path: String)
    /// A newer keywedge wrote the file.
    case newerSchema(path: String, found: Int, supported: Int)
    /// A daemon has the journal open.
    case inUse(path: String)
    /// The journal is damaged at a place that is told.
    case damaged(path: String, reason: String)
    /// SQLite or the disk failed.
    case failed(path: String, reason: String)
    /// A cursor is of a journal that this one knows nothing of.
    case unknownEpoch(Cursor)
    /// An event was given up before it was committed: there was no room for it.
    case givenUp(sequence: UInt64)
    /// The journal is closed.
    case closed
}

extension JournalError: CustomStringConvertible {
    /// The error as one sentence.
    package var description: String {
        switch self {
        case .missing(let path): "There is no journal at \(path.quoted(upTo: .max))."
        case .notAJournal(let path):
            "\(path.quoted(upTo: .max)) is no journal; expected a file that keywedge made, or none."
        case .newerSchema(let path, let found, let supported):
            "The journal \(path.quoted(upTo: .max)) was written by a newer keywedge: it has schema "
                + "\(found), this one reads up to \(supported)."
        case .inUse(let path):
            "The journal \(path.quoted(upTo: .max)) is in use by another keywedge; expected it free."
        case .damaged(let path, let reason):
            "The journal \(path.quoted(upTo: .max)) is damaged: \(reason)."
        case .failed(let path, let reason):
            "The journal \(path.quoted(upTo: .max)) failed: \(reason)."
        case .unknownEpoch(let cursor):
            "The cursor \(cursor) is of another journal; expected one of this journal."
        case .givenUp(let sequence): "The event \(sequence) was given up: the journal had no room."
        case .closed: "The journal is closed."
        }
    }
}
