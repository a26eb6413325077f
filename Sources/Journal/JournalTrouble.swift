import GRDB
import WireText

/// What kept a journal from being read or written.
enum JournalTrouble: Error {
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
        case let error as SystemCallError: self = .failure("\(error)")
        default: self = .failure("\(error)")
        }
    }

    private static func meaning(of error: DatabaseError) -> JournalTrouble {
        let reason = error.message ?? "unknown"
        switch error.resultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .damage(Damage(reason))
        // All statements are our own and right for the tables as they were made.
        case .SQLITE_ERROR: return .damage(Damage(reason))
        case .SQLITE_FULL: return .failure("the disk is full")
        default: return .failure("\(reason) (SQLite \(error.extendedResultCode.rawValue))")
        }
    }

    /// The error for who asked.
    func error(path: String) -> JournalError {
        switch self {
        case .damage(let damage): .damaged(path: path, reason: damage.reason)
        case .failure(let reason): .failed(path: path, reason: reason)
        case .refusal(let error): error
        }
    }
}
