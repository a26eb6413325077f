import GRDB
import WireText

/// Why a journal cannot be used, or refuses something.
package enum JournalError: Error, Equatable, Sendable {
    /// There is no such file.
    case missing(path: String)
    /// The file is no SQLite database, or one without the journal's tables.
    case notAJournal(path: String)
    /// A newer keywedge wrote the file.
    case newerSchema(path: String, found: Int, supported: Int)
    /// A daemon has the journal open.
    case inUse(path: String)
    /// The journal is damaged.
    case damaged(path: String, reason: String)
    /// SQLite or the disk failed.
    case failed(path: String, reason: String)
    /// The cursor is of a journal that this one does not know.
    case unknownEpoch(Cursor)
    /// No event has the cursor's number yet.
    case cursorAhead(Cursor, end: Cursor)
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
        case .cursorAhead(let cursor, let end):
            "The cursor \(cursor) is ahead of the journal's end; expected at most \(end)."
        case .closed: "The journal is closed."
        }
    }
}

/// What shows that a journal is damaged, in words that continue "it is damaged:".
struct Damage: Error, Equatable {
    let reason: String
    /// Whether the newest events may be hidden, so that the file does not say which numbers were given.
    let hidesTheEnd: Bool

    init(_ reason: String, hidesTheEnd: Bool = false) {
        self.reason = reason
        self.hidesTheEnd = hidesTheEnd
    }
}

/// What kept a journal from being read or written.
enum JournalTrouble: Error, Equatable {
    /// Its file is damaged.
    case damage(Damage)
    /// The disk or SQLite failed, in words.
    case failure(String)
    /// It cannot be used at all.
    case refusal(JournalError)

    init(_ error: any Error) {
        switch error {
        case let error as JournalTrouble: self = error
        case let error as JournalError: self = .refusal(error)
        case let error as Damage: self = .damage(error)
        case let error as DatabaseError: self = Self.meaning(of: error)
        default: self = .failure("\(error)")
        }
    }

    private static func meaning(of error: DatabaseError) -> JournalTrouble {
        let reason = error.message ?? "unknown"
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .damage(Damage(reason))
        // All statements are ours, and right for the tables as they were made.
        case .SQLITE_ERROR: return .damage(Damage(reason))
        case .SQLITE_FULL: return .failure("the disk is full")
        default: return .failure("\(reason) (SQLite \(error.extendedResultCode.rawValue))")
        }
    }

    /// The error for a caller.
    func error(path: String) -> JournalError {
        switch self {
        case .damage(let damage): .damaged(path: path, reason: damage.reason)
        case .failure(let reason): .failed(path: path, reason: reason)
        case .refusal(let error): error
        }
    }
}
