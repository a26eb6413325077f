import GRDB
import WireText

/// Connections to a journal's file.
enum JournalConnection {
    /// How long to wait for a process that changes a cursor or a dead letter.
    private static let busyTimeout = Duration.seconds(5)

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

    /// Folds the log into the file and empties it, unless another connection needs the log now.
    ///
    /// Commits that a power cut tore stay in a log that is not emptied, with the same salt as those that are
    /// written over their beginning: after another cut, they would look like commits that were right once.
    ///
    /// - Returns: Whether the log is empty.
    static func foldLog(_ db: Database) throws -> Bool {
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        defer {
            try? db.execute(sql: "PRAGMA busy_timeout = \(Int(busyTimeout / .milliseconds(1)))")
        }
        return try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?.integer(0) == 0
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
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        configuration.label = "journal"
        return configuration
    }

    /// A path that SQLite takes for no URI and for no name of its own.
    private static func plain(_ path: String) -> String {
        path.hasPrefix("/") ? path : "./" + path
    }
}
