import GRDB
import WireText

/// Connections to a journal's file.
enum JournalConnection {
    /// How long to wait for a process that changes a cursor or a dead letter.
    private static let patience = Duration.seconds(5)

    /// Opens the connection that writes.
    static func writing(path: String) throws -> DatabaseQueue {
        // GRDB opens databases in this mode with NORMAL, which loses commits with the power.
        let settings = """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA cell_size_check = ON;
            PRAGMA trusted_schema = OFF;
            PRAGMA journal_size_limit = 8388608;
            """
        return try open(path, configuration, settings)
    }

    /// Opens a connection that reads: it leaves the file as it is, also where it is damaged.
    static func reading(path: String) throws -> DatabaseQueue {
        var configuration = configuration
        configuration.readonly = true
        return try open(path, configuration, "PRAGMA cell_size_check = ON")
    }

    private static func open(
        _ path: String, _ configuration: Configuration, _ settings: String
    ) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: plain(path), configuration: configuration)
        do {
            try queue.writeWithoutTransaction { try $0.execute(sql: settings) }
            return queue
        } catch {
            close(queue)
            throw error
        }
    }

    /// Closes a connection.
    ///
    /// What is left of it stays in memory, some hundred bytes: when a queue of libdispatch goes, threads
    /// start that wake up once a second for as long as the process lives.
    static func close(_ queue: DatabaseQueue) {
        try? queue.close()
        _ = Unmanaged.passRetained(queue)
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(patience / .seconds(1))
        configuration.label = "journal"
        return configuration
    }

    /// A path that SQLite takes for no URI and for no name of its own.
    private static func plain(_ path: String) -> String {
        path.hasPrefix("/") ? path : "./" + path
    }
}

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
