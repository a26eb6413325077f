import GRDB
import WireText

package enum CatalogError: Error, Equatable, Sendable, CustomStringConvertible {
    case missing(path: String)
    case unreadable(path: String, reason: String)
    case notADatabase(path: String)
    case notACatalog(path: String)
    case newerSchema(path: String, found: Int, supported: Int)
    case olderSchema(path: String)
    case locked(path: String)
    case readOnly(path: String)
    case unfinishedLog(path: String)
    case changing(path: String)
    case unknownScope(path: String, scope: String)
    case diskFull(path: String)
    case damaged(path: String)
    case failed(path: String, code: Int, reason: String)

    package var description: String {
        func catalog(_ path: String) -> String { "The catalog \(path.quoted(upTo: .max))" }
        return switch self {
        case .missing(let path): "There is no catalog at \(path.quoted(upTo: .max))."
        case .unreadable(let path, let reason): "\(catalog(path)) cannot be opened: \(reason)."
        case .notADatabase(let path):
            "\(path.quoted(upTo: .max)) is not a catalog: it is not an SQLite database."
        case .notACatalog(let path):
            "\(path.quoted(upTo: .max)) is not a catalog: it is an SQLite database without keywedge's tables."
        case .newerSchema(let path, let found, let supported):
            "\(catalog(path)) was written by a newer keywedge: it has schema \(found), this one reads up to "
                + "\(supported)."
        case .locked(let path):
            "\(catalog(path)) is locked by another process that writes to it; expected it free."
        case .readOnly(let path):
            "\(catalog(path)) cannot be written to; expected a file and a folder with write permission."
        case .unfinishedLog(let path):
            "\(catalog(path)) has a log beside it that was not finished, and cannot be written to; "
                + "expected one lookup by a user who can write to file and folder."
        case .changing(let path):
            "\(catalog(path)) was rewritten while it was read; expected it left alone."
        case .olderSchema(let path):
            "\(catalog(path)) was written by an older keywedge; convert it with: "
                + "keywedge catalog check --migrate --catalog \(path.quoted(upTo: .max))."
        case .unknownScope(let path, let scope):
            "\(catalog(path)) has no scope \(scope.quoted()); expected one that an imported row names."
        case .diskFull(let path):
            "The disk of the catalog \(path.quoted(upTo: .max)) is full; the catalog is as it was."
        case .damaged(let path): "\(catalog(path)) is damaged."
        case .failed(let path, let code, let reason):
            "\(catalog(path)) failed: \(reason) (SQLite \(code))."
        }
    }

    /// Runs `body`, and converts its database errors to `CatalogError`s.
    package static func translating<Value>(
        _ path: String, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw CatalogError(error, path: path)
        }
    }

    private init(_ error: DatabaseError, path: String) {
        let code = error.extendedResultCode
        self =
            switch error.resultCode {
            case .SQLITE_NOTADB: .notADatabase(path: path)
            case .SQLITE_BUSY, .SQLITE_LOCKED: .locked(path: path)
            case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: .readOnly(path: path)
            case .SQLITE_FULL: .diskFull(path: path)
            // The shared-memory file beside the database could not grow.
            case .SQLITE_IOERR where code == .SQLITE_IOERR_SHMSIZE: .diskFull(path: path)
            case .SQLITE_CORRUPT: .damaged(path: path)
            default:
                .failed(path: path, code: Int(code.rawValue), reason: error.message ?? "unknown")
            }
    }
}
