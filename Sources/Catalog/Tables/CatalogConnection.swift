import GRDB
import Glibc
import WireText

/// A database connection and the file it was opened on.
final class CatalogConnection: Sendable {
    let queue: DatabaseQueue
    /// The file as it was when opened; nil in memory.
    private let stamp: FileStamp?
    /// Whether SQLite assumes that the file never changes, and takes no locks.
    private let isImmutable: Bool

    private init(queue: DatabaseQueue, stamp: FileStamp?, isImmutable: Bool = false) {
        self.queue = queue
        self.stamp = stamp
        self.isImmutable = isImmutable
    }

    /// Opens a catalog file.
    static func open(
        path: String, access: CatalogFile.Access, busyTimeout: Duration
    ) throws -> CatalogConnection {
        let obstacle = FileStamp.obstacle(path: path)
        if let obstacle, access != .writing || obstacle != .missing(path: path) { throw obstacle }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = busyMode(busyTimeout, access)
        configuration.label = "catalog"
        return try CatalogError.translating(path) {
            try access == .reading
                ? openForReading(path: path, configuration)
                : openForWriting(path: path, configuration, makesCatalog: access == .writing)
        }
    }

    /// Waits for a lock as long as allowed; a writer, which may wait for long, only until its task is
    /// cancelled.
    private static func busyMode(
        _ busyTimeout: Duration, _ access: CatalogFile.Access
    ) -> Database.BusyMode {
        guard access != .reading else { return .timeout(busyTimeout / .seconds(1)) }
        let tries = Int(busyTimeout / .milliseconds(10))
        return .callback { tried in
            guard tried < tries, !Task.isCancelled else { return false }
            usleep(10_000)
            return true
        }
    }

    /// Makes an empty catalog in memory.
    static func inMemory() throws -> CatalogConnection {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(configuration: configuration)
        try queue.writeWithoutTransaction {
            try CatalogSchema.prepare($0, path: ":memory:", makesCatalog: true)
        }
        return CatalogConnection(queue: queue, stamp: nil)
    }

    private static func openForWriting(
        path: String, _ configuration: Configuration, makesCatalog: Bool
    ) throws -> CatalogConnection {
        var configuration = configuration
        configuration.prepareDatabase { db in
            // An import touches the index of codes all over, and the temporary tables in their order.
            try db.execute(sql: "PRAGMA cache_size = -16384; PRAGMA temp.cache_size = -4096")
        }
        let queue: DatabaseQueue
        do {
            queue = try DatabaseQueue(path: plain(path), configuration: configuration)
            try queue.writeWithoutTransaction { db in
                try CatalogSchema.prepare(db, path: path, makesCatalog: makesCatalog)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            throw CatalogError.readOnly(path: path)
        }
        return CatalogConnection(queue: queue, stamp: FileStamp(path: path))
    }

    /// Opens a file with whatever permissions there are.
    ///
    /// SQLite shares its log with writers through files beside the database, which it must be able to
    /// make. If it cannot, nobody is writing, or the files are there.
    private static func openForReading(
        path: String, _ configuration: Configuration
    ) throws -> CatalogConnection {
        var configuration = configuration
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA query_only = 1")
        }
        let stamp = FileStamp(path: path)
        do {
            let queue = try DatabaseQueue(path: plain(path), configuration: configuration)
            try queue.unsafeRead { try CatalogSchema.validate($0, path: path) }
            return CatalogConnection(queue: queue, stamp: stamp)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
        {
            // What another process has committed to its log would be missed.
            guard FileStamp(path: path + "-wal")?.size ?? 0 == 0 else {
                throw CatalogError.unfinishedLog(path: path)
            }
            configuration.readonly = true
            let queue = try DatabaseQueue(path: immutable(path), configuration: configuration)
            try queue.unsafeRead { try CatalogSchema.validate($0, path: path) }
            return CatalogConnection(queue: queue, stamp: stamp, isImmutable: true)
        }
    }

    /// Whether the path leads to another file by now, or somebody has written to a file that SQLite assumes
    /// unchanged.
    func isOutdated(path: String) -> Bool {
        guard let stamp, let now = FileStamp(path: path) else { return false }
        guard isImmutable else { return !now.isSameFile(as: stamp) }
        return now != stamp || FileStamp(path: path + "-wal") != nil
    }

    /// Whether what was just read can be relied on.
    func isUnchanged(path: String) -> Bool { !isImmutable || !isOutdated(path: path) }

    /// A path that SQLite mistakes neither for a URI nor for a special name.
    private static func plain(_ path: String) -> String {
        path.hasPrefix("file:") || path.hasPrefix(":") ? "./" + path : path
    }

    /// The address of a file that SQLite assumes never changes.
    ///
    /// Rule: https://www.sqlite.org/uri.html
    private static func immutable(_ path: String) -> String {
        "file:\(PercentEncoding.encoded(plain(path), keeping: "/"))?immutable=1"
    }
}

/// The identity of a file and when it was last written.
struct FileStamp: Equatable {
    private let file: [UInt64]
    let size: Int64
    private let written: [Int]

    /// Returns nil if there is no such file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        file = [UInt64(status.st_dev), UInt64(status.st_ino)]
        size = Int64(status.st_size)
        written = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }

    /// Whether both are the same file, whatever it contains.
    func isSameFile(as other: Self) -> Bool { file == other.file }

    /// Why a path cannot be opened for reading as a file; nil if it can.
    ///
    /// The file is not opened to find out: closing it would release every lock that another connection of
    /// this process holds on it (fcntl(2)), and SQLite would not notice.
    static func obstacle(path: String) -> CatalogError? {
        var status = stat()
        guard stat(path, &status) == 0, faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else {
            let error = SystemCallError(operation: "stat", path: path, errno: errno)
            return error.errno == ENOENT
                ? .missing(path: path) : .unreadable(path: path, reason: error.text)
        }
        guard status.st_mode & S_IFMT != S_IFREG else { return nil }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        return .unreadable(
            path: path, reason: isFolder ? "it is a directory" : "it is no regular file")
    }
}
