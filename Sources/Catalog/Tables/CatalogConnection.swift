import GRDB
import Glibc
import WireText

/// A database connection and the file it was opened on.
final class CatalogConnection: Sendable {
    let queue: DatabaseQueue
    /// The file as it was when opened; nil in memory.
    private let stamp: FileStamp?
    /// Whether SQLite takes it that nobody writes to the file, and locks nothing.
    private let isImmutable: Bool
    /// Whether an older keywedge wrote the file, and it is read as if this one had.
    private let isOlder: Bool
    /// What narrows it to a shop; nil where it reads everything, or the file knows no shops.
    private let views: ScopeViews?

    private init(
        queue: DatabaseQueue, stamp: FileStamp?, isImmutable: Bool, isOlder: Bool = false,
        views: ScopeViews? = nil
    ) {
        self.isOlder = isOlder
        self.views = views
        self.queue = queue
        self.stamp = stamp
        self.isImmutable = isImmutable
    }

    /// Opens a catalog file.
    static func open(
        path: String, access: EmbeddedCatalog.Access, isNarrowed: Bool = false,
        busyTimeout: Duration
    ) throws -> CatalogConnection {
        let obstacle = FileStamp.obstacle(path: path)
        if let obstacle, access != .writing || obstacle != .missing(path: path) { throw obstacle }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.busyMode = busyMode(busyTimeout, access)
        configuration.label = "catalog"
        return try CatalogError.translating(path) {
            switch access {
            case .writing: try openForWriting(path: path, configuration)
            case .changing: try openForWriting(path: path, configuration, makesCatalog: false)
            case .reading: try openForReading(path: path, configuration, isNarrowed)
            }
        }
    }

    /// Waits for a lock as long as allowed; a writer, which may wait for long, until its task is
    /// cancelled at the most.
    private static func busyMode(
        _ busyTimeout: Duration, _ access: EmbeddedCatalog.Access
    ) -> Database.BusyMode {
        guard access != .reading else { return .timeout(busyTimeout / .seconds(1)) }
        let pause = Duration.milliseconds(10)
        let tries = Int(busyTimeout / pause)
        return .callback { tried in
            guard tried < tries, !Task.isCancelled else { return false }
            usleep(10_000)
            return true
        }
    }

    /// Makes an empty catalog in memory.
    static func inMemory() throws -> CatalogConnection {
        let queue = try DatabaseQueue()
        try queue.writeWithoutTransaction { try CatalogSchema.prepare($0, path: ":memory:") }
        return CatalogConnection(queue: queue, stamp: nil, isImmutable: false)
    }

    private static func openForWriting(
        path: String, _ configuration: Configuration, makesCatalog: Bool = true
    ) throws -> CatalogConnection {
        var configuration = configuration
        configuration.prepareDatabase { db in
            // An import touches the index of codes all over.
            try db.execute(sql: "PRAGMA cache_size = -32768")
        }
        let queue: DatabaseQueue
        do {
            queue = try DatabaseQueue(path: plain(path), configuration: configuration)
            try queue.writeWithoutTransaction { db in
                if !makesCatalog { try CatalogSchema.validate(db, path: path) }
                try CatalogSchema.prepare(db, path: path)
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
            throw CatalogError.readOnly(path: path)
        }
        return CatalogConnection(queue: queue, stamp: FileStamp(path: path), isImmutable: false)
    }

    /// Opens with what permissions there are: SQLite shares its log with writers through files
    /// beside the database, which it must be able to make; where it cannot, nobody is writing or
    /// the files are there.
    private static func openForReading(
        path: String, _ configuration: Configuration, _ isNarrowed: Bool
    ) throws -> CatalogConnection {
        var configuration = configuration
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA query_only = 1")
        }
        let stamp = FileStamp(path: path)
        do {
            let queue = try DatabaseQueue(path: plain(path), configuration: configuration)
            return try reading(queue, path, stamp, isNarrowed: isNarrowed)
        } catch let error as DatabaseError
            where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
        {
            // What another process has committed to its log would be missed.
            guard FileStamp(path: path + "-wal")?.size ?? 0 == 0 else {
                throw CatalogError.unfinishedLog(path: path)
            }
            configuration.readonly = true
            let queue = try DatabaseQueue(path: immutable(path), configuration: configuration)
            return try reading(queue, path, stamp, isNarrowed: isNarrowed, isImmutable: true)
        }
    }

    private static func reading(
        _ queue: DatabaseQueue, _ path: String, _ stamp: FileStamp?, isNarrowed: Bool,
        isImmutable: Bool = false
    ) throws -> CatalogConnection {
        try queue.unsafeRead { db in
            try CatalogSchema.validate(db, path: path)
            let isOlder = try CatalogSchema.standIn(db)
            return CatalogConnection(
                queue: queue, stamp: stamp, isImmutable: isImmutable, isOlder: isOlder,
                views: isNarrowed && !isOlder ? try ScopeViews(db) : nil)
        }
    }

    /// Narrows what is read next to a shop.
    ///
    /// - Throws: `CatalogError.unknownScope`; SQLite's error.
    func show(_ scope: CatalogScope?, _ db: Database, path: String) throws {
        guard let scope else { return }
        guard try views?.show(scope, db) == true else {
            throw CatalogError.unknownScope(path: path, scope: scope.name)
        }
    }

    /// Whether the path leads to another file by now, or the file was written to although SQLite
    /// takes it that it is not.
    func isOutdated(path: String) -> Bool {
        guard let stamp, let now = FileStamp(path: path) else { return false }
        // What the other keywedge has brought up to date says more from then on.
        if isOlder, (try? queue.unsafeRead(CatalogSchema.isPresent)) == true { return true }
        guard isImmutable else { return !now.isSameFile(as: stamp) }
        return now != stamp || FileStamp(path: path + "-wal") != nil
    }

    /// Whether what was just read can be relied on.
    func isUnchanged(path: String) -> Bool {
        !isImmutable || !isOutdated(path: path)
    }

    /// A path that SQLite takes for no URI and for no name of its own.
    static func plain(_ path: String) -> String {
        path.hasPrefix("file:") || path.hasPrefix(":") ? "./" + path : path
    }

    static func immutable(_ path: String) -> String { uri(path, "immutable=1") }

    /// A path with something that SQLite is to know of the file.
    ///
    /// Rule: https://www.sqlite.org/uri.html
    static func uri(_ path: String, _ parameter: String) -> String {
        let encoded = PercentEncoding.encoded(plain(path), keeping: "/")
        return "file:\(encoded)?\(parameter)"
    }
}

/// Tells whether a catalog may have changed, without opening it.
package struct CatalogStamp: Equatable, Sendable {
    private let file: FileStamp?
    private let log: FileStamp?

    /// Looks at a catalog's file and at the log beside it.
    ///
    /// - Parameter path: The catalog's file.
    package init(path: String) {
        file = FileStamp(path: path)
        log = FileStamp(path: path + "-wal")
    }
}

/// Tells whether a path still leads to the same file, and whether the file was written to.
struct FileStamp: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let seconds: Int
    let nanoseconds: Int

    /// Looks at a file; nil where there is none.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }

    /// Whether both are the same file, whatever it contains.
    func isSameFile(as other: Self) -> Bool {
        device == other.device && inode == other.inode
    }

    /// Why a path cannot be opened for reading as a file, nil where it can.
    ///
    /// It is not opened for that: closing it again would take away every lock that another
    /// connection of this process holds on it (fcntl(2)), and SQLite would go on without.
    static func obstacle(path: String) -> CatalogError? {
        var status = stat()
        guard stat(path, &status) == 0, faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else {
            return errno == ENOENT
                ? .missing(path: path)
                : .unreadable(
                    path: path,
                    reason: SystemCallError(operation: "stat", path: path, errno: errno).text)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            return .unreadable(
                path: path, reason: isFolder ? "it is a directory" : "it is no regular file")
        }
        return nil
    }
}
