import GRDB
import Glibc
import WireText

package enum JournalError: Error, Equatable, Sendable, CustomStringConvertible {
    case missing(path: String)
    /// The file is not a regular file, is not an SQLite database, or lacks the journal's tables.
    case notAJournal(path: String)
    case newerSchema(path: String, found: Int, supported: Int)
    case formerSchema(path: String)
    case inUse(path: String)
    /// The user that runs keywedge lacks permission to read the file, or to write to it or its folder.
    case forbidden(path: String)
    case diskFull(path: String)
    case damaged(path: String, reason: String)
    case failed(path: String, reason: String)
    case unknownEpoch(Cursor)
    case cursorAhead(Cursor, end: Cursor)
    case closed

    init(_ error: any Error, path: String) {
        switch error {
        case let error as JournalError: self = error
        case let error as Damage: self = .damaged(path: path, reason: error.reason)
        case let error as DatabaseError:
            let reason = error.message ?? "unknown"
            switch error.resultCode {
            // All statements match the tables as created, so SQLITE_ERROR means that the file has changed.
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR:
                self = .damaged(path: path, reason: reason)
            case .SQLITE_FULL: self = .diskFull(path: path)
            // The shared-memory file beside the journal could not grow.
            case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
                self = .diskFull(path: path)
            case .SQLITE_CANTOPEN where Self.hasNoInodes(path): self = .diskFull(path: path)
            // The disk cannot read a sector, so treat this as damage: the readable rows are then copied to a new file.
            case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_CORRUPTFS:
                self = .damaged(path: path, reason: reason)
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: self = .forbidden(path: path)
            default:
                let code = error.extendedResultCode.rawValue
                self = .failed(path: path, reason: "\(reason) (SQLite \(code))")
            }
        default: self = .failed(path: path, reason: "\(error)")
        }
    }

    /// Whether the file system of `path` has no free inodes, which means that files cannot be created on it.
    private static func hasNoInodes(_ path: String) -> Bool {
        var disk = statvfs()
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        return statvfs(folder, &disk) == 0 && disk.f_files > 0 && disk.f_favail == 0
    }

    var damage: Damage? {
        if case .damaged(_, let reason) = self { Damage(reason) } else { nil }
    }

    package var description: String {
        switch self {
        case .missing(let path): "There is no journal at \(path.quoted(upTo: .max))."
        case .notAJournal(let path):
            "\(path.quoted(upTo: .max)) is not a journal; expected a file that keywedge made, or none."
        case .newerSchema(let path, let found, let supported):
            "The journal \(path.quoted(upTo: .max)) was written by a newer keywedge: it has schema "
                + "\(found), this one reads up to \(supported)."
        case .formerSchema(let path):
            "The journal \(path.quoted(upTo: .max)) was written by an earlier keywedge: start the daemon, "
                + "which converts it, and then repeat this command."
        case .inUse(let path):
            "The journal \(path.quoted(upTo: .max)) is in use by another keywedge; expected it free."
        case .forbidden(let path):
            "The journal \(path.quoted(upTo: .max)) cannot be used by this user; expected permission to "
                + "read and write the file and its folder."
        case .diskFull(let path): "The journal \(path.quoted(upTo: .max)) failed: the disk is full."
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
