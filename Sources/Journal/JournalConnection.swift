import Foundation
import GRDB
import WireText

enum JournalConnection {
    /// How long to wait for another process that is changing a cursor or dead letter.
    private static let busyTimeout = Duration.seconds(5)

    /// Opens a journal's file; the connection can change the file only if `toWrite` is true.
    ///
    /// If `ignoresLog` is true, the connection does not read the write-ahead log; the file must not change meanwhile.
    static func open(
        _ path: String, toWrite: Bool = false, ignoresLog: Bool = false
    ) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = !toWrite
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(busyTimeout / .seconds(1))
        configuration.label = "journal"
        // GRDB's own WAL mode sets `synchronous = NORMAL`, with which a power cut loses commits.
        let settings = """
            PRAGMA journal_mode = WAL;
            PRAGMA synchronous = FULL;
            PRAGMA trusted_schema = OFF;
            PRAGMA journal_size_limit = 8388608;
            """
        // With a folder before the name, SQLite treats the path neither as a URI nor as a special name.
        let path = path.hasPrefix("/") ? path : "./" + path
        if toWrite { keepPrivate(path) }
        let file = ignoresLog ? "\(URL(filePath: path).absoluteString)?immutable=1" : path
        let queue = try DatabaseQueue(path: file, configuration: configuration)
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

    /// Makes the file accessible only to its owner, regardless of the umask.
    ///
    /// SQLite gives its log the same mode. An existing file is not opened, because closing it would release the locks
    /// of this process's other connections to the file.
    private static func keepPrivate(_ path: String) {
        FolderOwner.createFile(path, mode: 0o600)
        for ending in [""] + Folder.companions { chmod(path + ending, 0o600) }
    }

    static func close(_ queue: DatabaseQueue) {
        try? queue.close()
        // Never free the queue, which costs a few hundred bytes: freeing a libdispatch queue starts threads
        // that wake up every second until the process ends.
        _ = Unmanaged.passRetained(queue)
    }

    // MARK: The log

    /// Empties the write-ahead log into the database file; returns false if another connection uses the log.
    ///
    /// A log that is not emptied may contain remains of commits that a crash or a power cut interrupted. After the next
    /// power cut, these remains could look like damage.
    static func foldLog(_ db: Database) throws -> Bool {
        try db.execute(sql: "PRAGMA busy_timeout = 0")
        defer {
            try? db.execute(sql: "PRAGMA busy_timeout = \(Int(busyTimeout / .milliseconds(1)))")
        }
        return try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?.integer(0) == 0
    }

    /// Whether the journal's file is missing or empty; if so, SQLite deletes any log that lies beside it.
    private static func isEmpty(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_size == 0
    }

    /// Whether a journal's log contains commits that SQLite ignores because the log is damaged.
    ///
    /// SQLite treats a frame with a wrong checksum as the end of the log, because a power cut can leave such a frame.
    /// But each commit is written only after the previous one is on disk. So if the log contains two commits at or
    /// after that frame, the frame was once valid.
    ///
    /// Formats: SQLite's "File format", section 4, and "WAL-mode file format", section 2.1.
    static func logHidesCommits(_ path: String) throws -> Bool {
        let frame = 24 + 4_096
        // Do not map the file: if the disk cannot read a mapped page, the process is killed.
        guard let log = FileHandle(forReadingAtPath: path + "-wal"),
            let size = try? Int(log.seekToEnd()), size > 32 + frame, !isEmpty(path)
        else { return false }
        let queue: DatabaseQueue
        do {
            queue = try open(path)
        } catch {
            // An unreadable log hides all of its commits; any other error, such as a full disk, may be temporary.
            guard JournalError(error, path: path).damage != nil else { throw error }
            return true
        }
        defer { close(queue) }
        func bytes(_ range: Range<Int>) -> [UInt8]? {
            try? log.seek(toOffset: UInt64(range.lowerBound))
            return (try? log.read(upToCount: range.count)).map { Array($0) }
        }
        let salt = bytes(16..<24)
        let seen = try queue.read { db in
            // This makes SQLite read the log, and write into its index how many frames are valid.
            _ = try Int.fetchOne(db, sql: "PRAGMA schema_version")
            let index = (try? Data(contentsOf: URL(filePath: path + "-shm"))) ?? Data(count: 20)
            return index.withUnsafeBytes {
                Int($0.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
            }
        }
        let hidden = stride(from: 32 + seen * frame, through: size - frame, by: frame)
        let commits = hidden.filter { offset in
            bytes(offset + 8..<offset + 16) == salt
                && bytes(offset + 4..<offset + 8)?.contains { $0 != 0 } == true
        }
        return commits.count > 1
    }
}
