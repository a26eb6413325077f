import GRDB
import Glibc
import WireText

final class CatalogConnection: Sendable {
    let queue: DatabaseQueue
    private let stamp: FileStamp?
    /// Whether SQLite takes no locks, because it assumes that the file never changes.
    private let isImmutable: Bool

    private init(
        _ path: String, _ access: CatalogFile.Access, _ configuration: Configuration,
        isImmutable: Bool = false
    ) throws {
        let stamp = FileStamp(path: path)
        // SQLite mistakes some names for a URI or for a special name.
        let plain = path.hasPrefix("file:") || path.hasPrefix(":") ? "./" + path : path
        // Rule: https://www.sqlite.org/uri.html
        let uri = "file:\(PercentEncoding.encoded(plain, keeping: "/"))?immutable=1"
        queue = try DatabaseQueue(path: isImmutable ? uri : plain, configuration: configuration)
        try queue.inDatabase { try CatalogSchema.prepare($0, path: path, for: access) }
        self.stamp = stamp ?? FileStamp(path: path)
        self.isImmutable = isImmutable
    }

    /// Opens a catalog file; readers need no write permission for its folder.
    ///
    /// SQLite cannot open the file if its `-wal` and `-shm` files are missing and cannot be created. In this case, no
    /// process is writing, so a reader opens the catalog as immutable.
    static func open(
        path: String, access: CatalogFile.Access, busyTimeout: Duration
    ) throws -> CatalogConnection {
        let obstacle = FileStamp.obstacle(path: path)
        if let obstacle, access != .writing || obstacle != .missing(path: path) { throw obstacle }
        if access == .writing { FolderOwner.createFile(path, mode: 0o644) }
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        // A writer may have to wait a long time, so cancelling its task ends the wait.
        let tries = Int(busyTimeout / .milliseconds(10))
        configuration.busyMode = .callback { tried in
            guard tried < tries, access == .reading || !Task.isCancelled else { return false }
            usleep(10_000)
            return true
        }
        configuration.label = "catalog"
        configuration.prepareDatabase { db in
            // An import reads the index of codes in random order, and the temporary tables in sequence.
            let caches = "PRAGMA cache_size = -16384; PRAGMA temp.cache_size = -4096"
            try db.execute(sql: access == .reading ? "PRAGMA query_only = 1" : caches)
        }
        return try CatalogError.translating(path) {
            do {
                return try CatalogConnection(path, access, configuration)
            } catch let error as DatabaseError
                where [.SQLITE_CANTOPEN, .SQLITE_READONLY].contains(error.resultCode)
            {
                guard access == .reading else { throw CatalogError.readOnly(path: path) }
                // An immutable catalog is read without its log, so changes in the log would be missed.
                guard FileStamp(path: path + "-wal")?.size ?? 0 == 0 else {
                    throw CatalogError.unfinishedLog(path: path)
                }
                configuration.readonly = true
                return try CatalogConnection(path, access, configuration, isImmutable: true)
            }
        }
    }

    /// Whether the catalog must be reopened because its file was replaced or, if opened as immutable, has changed.
    func isOutdated(path: String) -> Bool {
        guard let stamp, let now = FileStamp(path: path) else { return false }
        guard isImmutable else { return !now.isSameFile(as: stamp) }
        return now != stamp || FileStamp(path: path + "-wal") != nil
    }

    /// Whether data just read is valid; false if the catalog was opened as immutable, but its file has changed.
    func isUnchanged(path: String) -> Bool { !isImmutable || !isOutdated(path: path) }
}

package struct FileStamp: Equatable, CustomStringConvertible {
    private let device, node: UInt64
    package let size: Int64
    /// The modification time, in seconds since 1970.
    let seconds: Int
    private let nanoseconds: Int
    /// Whether this is a regular file, not a folder or a device.
    package let isFile: Bool

    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, node, size) = (UInt64(status.st_dev), UInt64(status.st_ino), Int64(status.st_size))
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        isFile = status.st_mode & S_IFMT == S_IFREG
    }

    package var description: String { "\(device):\(node):\(size):\(seconds).\(nanoseconds)" }

    package func isSameFile(as other: Self) -> Bool { (device, node) == (other.device, other.node) }

    /// Returns an error if a file is unreadable; does not open it, because closing it would drop SQLite's locks.
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
            path: path, reason: isFolder ? "it is a directory" : "it is not a regular file")
    }
}
