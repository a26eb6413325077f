import Foundation
import GRDB

/// Connections to a journal's file.
enum JournalConnection {
    /// How long to wait for a process that changes a cursor or a dead letter.
    private static let busyTimeout = Duration.seconds(5)

    /// Opens a file; a connection that only reads leaves it as it is, even a damaged one.
    static func open(_ path: String, toWrite: Bool = false) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = !toWrite
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        configuration.label = "journal"
        // GRDB opens databases in WAL mode with NORMAL, which loses commits with the power.
        let settings = """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA trusted_schema = OFF;
            PRAGMA journal_size_limit = 8388608;
            """
        // With a folder in front, SQLite reads the path neither as a URI nor as a name with a meaning of its own.
        let path = path.hasPrefix("/") ? path : "./" + path
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        do {
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: (toWrite ? settings : "") + "PRAGMA cell_size_check = ON")
            }
            return queue
        } catch {
            close(queue)
            throw error
        }
    }

    /// Closes a connection.
    static func close(_ queue: DatabaseQueue) {
        try? queue.close()
        // The queue is never freed, which costs some hundred bytes: to free a queue of libdispatch starts
        // threads that wake up once a second for as long as the process lives.
        _ = Unmanaged.passRetained(queue)
    }

    // MARK: The log

    /// Folds the log into the file and empties it; returns false if another connection needs the log now.
    ///
    /// In a log that is not emptied, commits that a power cut tore stay after the new ones, with the same salt.
    /// After another power cut they would look like damage.
    static func foldLog(_ db: Database) throws -> Bool {
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        defer {
            try? db.execute(sql: "PRAGMA busy_timeout = \(Int(busyTimeout / .milliseconds(1)))")
        }
        return try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?.integer(0) == 0
    }

    /// Whether a journal's log has commits that SQLite does not see, since a bit before them changed.
    ///
    /// SQLite regards a frame with a wrong checksum as the end of the log, as after a power cut. But a commit is
    /// written only once the one before is on the disk: if two commits follow the frame, it was right once.
    ///
    /// Formats: SQLite's "File format", section 4, and "WAL-mode file format", section 2.1.
    static func logHidesCommits(_ path: String) throws -> Bool {
        let frame = 24 + 4_096
        let url = URL(filePath: path + "-wal")
        guard let log = try? Data(contentsOf: url, options: .alwaysMapped), log.count > 32 + frame,
            let queue = try? open(path)
        else { return false }
        defer { close(queue) }
        let seen = try queue.read { db in
            // Makes SQLite read the log, and write into its index how many frames are right.
            _ = try Int.fetchOne(db, sql: "PRAGMA schema_version")
            let index = (try? Data(contentsOf: URL(filePath: path + "-shm"))) ?? Data(count: 20)
            return index.withUnsafeBytes {
                Int($0.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
            }
        }
        let hidden = stride(from: 32 + seen * frame, through: log.count - frame, by: frame)
        let commits = hidden.filter { place in
            log[place + 8..<place + 16] == log[16..<24]
                && log[place + 4..<place + 8].contains { $0 != 0 }
        }
        return commits.count > 1
    }
}
