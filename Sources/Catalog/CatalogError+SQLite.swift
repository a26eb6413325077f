import GRDB

extension CatalogError {
    /// Names what SQLite's error means for a catalog.
    init(_ error: DatabaseError, path: String) {
        switch error.resultCode {
        case .SQLITE_NOTADB: self = .notADatabase(path: path)
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked(path: path)
        case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly(path: path)
        case .SQLITE_FULL: self = .diskFull(path: path)
        case .SQLITE_CORRUPT: self = .damaged(path: path)
        default:
            let code = error.extendedResultCode
            // The shared-memory file beside the database could not grow.
            if code == .SQLITE_IOERR_SHMSIZE {
                self = .diskFull(path: path)
            } else {
                let reason = error.message ?? "unknown"
                self = .failed(path: path, code: Int(code.rawValue), reason: reason)
            }
        }
    }

    /// Does something with a database and throws its errors as those of the catalog.
    ///
    /// - Parameters:
    ///   - path: The database's file, for messages.
    ///   - body: What is done.
    /// - Returns: What it gives.
    /// - Throws: `CatalogError`, or what else it throws.
    package static func translating<Value>(
        _ path: String, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw CatalogError(error, path: path)
        }
    }
}
