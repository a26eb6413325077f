import GRDB
import Synchronization

/// The catalog in an SQLite file on the box.
///
/// Lookups and imports run side by side, also in different processes: a lookup sees the catalog as
/// it was before an import or as it is after, never in between. If the file is replaced by
/// another one, lookups turn to the new one. Lookups need no write permission, neither of the file
/// nor of its folder.
package final class CatalogFile: Sendable {
    /// The purpose of opening a catalog.
    package enum Access: Hashable, Sendable {
        /// Lookups, checks and exports, of a file that exists.
        case reading
        /// Changes as well, of a file that exists and is a catalog.
        case changing
        /// Imports as well. A file that does not exist is made.
        case writing
    }

    /// The file, as it was given; `:memory:` for a catalog in memory.
    package let path: String
    private let access: Access
    private let busyTimeout: Duration
    private let connection: Mutex<CatalogConnection>

    /// Opens a catalog file.
    package init(
        path: String, access: Access = .reading, busyTimeout: Duration = .milliseconds(500)
    ) throws {
        (self.path, self.access, self.busyTimeout) = (path, access, busyTimeout)
        connection = Mutex(
            try CatalogConnection.open(path: path, access: access, busyTimeout: busyTimeout))
    }

    /// Makes an empty catalog that lives in memory and is gone with this value.
    package static func inMemory() throws -> CatalogFile {
        try CatalogFile(inMemory: CatalogConnection.inMemory())
    }

    private init(inMemory connection: CatalogConnection) {
        (path, access, busyTimeout) = (":memory:", .writing, .zero)
        self.connection = Mutex(connection)
    }

    /// The connection to the file that the path leads to now.
    private func current() throws -> CatalogConnection {
        try connection.withLock { connection in
            if connection.isOutdated(path: path) {
                connection = try CatalogConnection.open(
                    path: path, access: access, busyTimeout: busyTimeout)
            }
            return connection
        }
    }

    /// How many products the catalog has.
    package func count() throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM product") ?? 0 }
    }

    /// Reads from the file the path leads to now, again if it is rewritten meanwhile; `tries` is 1 if what
    /// `body` does cannot be taken back.
    func read<Value>(tries: Int = 8, _ body: (Database) throws -> Value) throws -> Value {
        try CatalogError.translating(path) {
            for _ in 0..<tries {
                let connection = try current()
                let result = Result { try connection.queue.unsafeRead(body) }
                // What was read while the file was rewritten says nothing, be it an error.
                if connection.isUnchanged(path: path) { return try result.get() }
            }
            throw CatalogError.changing(path: path)
        }
    }

    /// Reads one state of the catalog with several statements.
    func readAtOnce<Value>(tries: Int = 8, _ body: (Database) throws -> Value) throws -> Value {
        try read(tries: tries) { db in
            try db.beginTransaction(.deferred)
            let result = Result { try body(db) }
            try db.commit()
            return try result.get()
        }
    }

    /// Changes the catalog, all or nothing: `stage` collects in temporary tables what is to be written,
    /// without a lock on the file, and `body` writes it in a transaction.
    func write<Staged, Value>(
        staging stage: (Database) throws -> Staged, _ body: (Database, Staged) throws -> Value
    ) throws -> Value {
        guard access != .reading else { throw CatalogError.readOnly(path: path) }
        return try CatalogError.translating(path) {
            try current().queue.writeWithoutTransaction { db in
                let staged = try transaction(.deferred, db) { try stage(db) }
                let value = try transaction(.immediate, db) { try body(db, staged) }
                // A large import leaves a large log; it is folded in unless a reader needs it.
                _ = try? db.checkpoint(.truncate)
                return value
            }
        }
    }

    private func transaction<Value>(
        _ kind: Database.TransactionKind, _ db: Database, _ body: () throws -> Value
    ) throws -> Value {
        try db.beginTransaction(kind)
        do {
            let value = try body()
            try db.commit()
            return value
        } catch {
            // SQLite may have rolled back already, as it does when the disk is full.
            if db.isInsideTransaction { try? db.rollback() }
            throw error
        }
    }

    /// The present state.
    ///
    /// Only SQLite knows it for sure: the dates of files may be the same before and after a commit, and
    /// pages are written to the log before they count.
    package func state() throws -> CatalogState {
        try CatalogError.translating(path) {
            let connection = try current()
            let version = try connection.queue.unsafeRead { db in
                let statement = try db.cachedStatement(sql: "PRAGMA main.data_version")
                return try Int64.fetchOne(statement) ?? 0
            }
            return CatalogState(connection: connection, version: version)
        }
    }
}

/// The content of a catalog's file at a moment: results of reading it hold as long as the state lasts.
package struct CatalogState: Equatable, Sendable {
    fileprivate let connection: CatalogConnection
    /// SQLite's own number for what this connection sees; every commit by others changes it.
    ///
    /// Rule: https://www.sqlite.org/pragma.html#pragma_data_version
    fileprivate let version: Int64

    /// Whether nothing was committed in between, and the path leads to the same file.
    package static func == (one: CatalogState, other: CatalogState) -> Bool {
        one.connection === other.connection && one.version == other.version
    }
}
