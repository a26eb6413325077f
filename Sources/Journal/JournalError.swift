import GRDB
import WireText

/// Why a journal cannot be used, or refuses something.
package enum JournalError: Error, Equatable, Sendable, CustomStringConvertible {
    case missing(path: String)
    /// The file is no SQLite database, or one without the journal's tables.
    case notAJournal(path: String)
    case newerSchema(path: String, found: Int, supported: Int)
    case formerSchema(path: String)
    case inUse(path: String)
    case damaged(path: String, reason: String)
    case failed(path: String, reason: String)
    /// The cursor is of a journal that this one does not know.
    case unknownEpoch(Cursor)
    /// No event has the cursor's number yet.
    case cursorAhead(Cursor, end: Cursor)
    case closed

    /// Classifies an error that came from a journal's file.
    init(_ error: any Error, path: String) {
        switch error {
        case let error as JournalError: self = error
        case let error as Damage: self = .damaged(path: path, reason: error.reason)
        case let error as DatabaseError:
            let reason = error.message ?? "unknown"
            switch error.resultCode {
            // All statements are ours, and right for the tables as they were made.
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR:
                self = .damaged(path: path, reason: reason)
            case .SQLITE_FULL: self = .failed(path: path, reason: "the disk is full")
            default:
                let code = error.extendedResultCode.rawValue
                self = .failed(path: path, reason: "\(reason) (SQLite \(code))")
            }
        default: self = .failed(path: path, reason: "\(error)")
        }
    }

    var damage: Damage? {
        if case .damaged(_, let reason) = self { Damage(reason) } else { nil }
    }

    package var description: String {
        switch self {
        case .missing(let path): "There is no journal at \(path.quoted(upTo: .max))."
        case .notAJournal(let path):
            "\(path.quoted(upTo: .max)) is no journal; expected a file that keywedge made, or none."
        case .newerSchema(let path, let found, let supported):
            "The journal \(path.quoted(upTo: .max)) was written by a newer keywedge: it has schema "
                + "\(found), this one reads up to \(supported)."
        case .formerSchema(let path):
            "The journal \(path.quoted(upTo: .max)) was written by an earlier keywedge: start the daemon, "
                + "which converts it, and then repeat this command."
        case .inUse(let path):
            "The journal \(path.quoted(upTo: .max)) is in use by another keywedge; expected it free."
        case .damaged(let path, let reason):
            "The journal \(path.quoted(upTo: .max)) is damaged: \(reason)."
        case .failed(let path, let reason):
            "The journal \(path.quoted(upTo: .max)) failed: \(reason)."
        case .unknownEpoch(let cursor):
            "The cursor \(cursor) is of another journal; expected one of this journal."
        case .cursorAhead(let cursor, let end):
            "The cursor \(cursor) is ahead of the journal's end; expected at most \(end)."
        case .closed: "The journal is closed."
        }
    }
}

/// Evidence that a journal is damaged; as text, one sentence.
package struct Damage: Error, Equatable, CustomStringConvertible {
    /// In words that continue "it is damaged:".
    let reason: String
    package var description: String { reason.prefix(1).uppercased() + reason.dropFirst() + "." }

    static let ofLog = Damage("its log has changed before its end")

    init(_ reason: String) { self.reason = reason }
}
