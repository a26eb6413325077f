import GRDB
import Synchronization

/// A catalog in a local SQLite file.
///
/// Lookups can run during an import, even one in another process; they see either all of its changes or none. If the
/// file is replaced, lookups use the new file. They need no write permission for the file or its folder.
package final class CatalogFile: Sendable {
    package enum Access: Hashable, Sendable {
        case reading
        case changing
        /// Reading and changing the catalog, which is created if the file is missing.
        case writing
    }

    package let path: String
    package let name: String
    private let access: Access
    private let open: @Sendable () throws -> CatalogConnection
    private let connection: Mutex<CatalogConnection>

    package init(
        path: String, name: String = "embedded", access: Access = .reading,
        busyTimeout: Duration = .milliseconds(500)
    ) throws {
        (self.path, self.name, self.access) = (path, name, access)
        open = { try CatalogConnection.open(path: path, access: access, busyTimeout: busyTimeout) }
        connection = Mutex(try open())
    }

    /// Returns the connection, reopened if the file was replaced or rewritten.
    private func current() throws -> CatalogConnection {
        try connection.withLock { connection in
            if connection.isOutdated(path: path) { connection = try open() }
            return connection
        }
    }

    package func count() throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM product") ?? 0 }
    }

    package func hasProducts() throws -> Bool {
        try read { try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM product)") ?? false }
    }

    /// Runs `body`, and repeats it if the file is rewritten during the run; throws after `tries` runs.
    func read<Value>(tries: Int = 8, _ body: (Database) throws -> Value) throws -> Value {
        try CatalogError.translating(path) {
            for _ in 0..<tries {
                let connection = try current()
                let result = Result { try connection.queue.unsafeRead(body) }
                // A result that was read while the file was rewritten is worthless, even an error.
                if connection.isUnchanged(path: path) { return try result.get() }
            }
            throw CatalogError.changing(path: path)
        }
    }

    /// Runs `body` in a read transaction, so that all its statements see the same state of the catalog.
    func readAtOnce<Value>(tries: Int = 8, _ body: (Database) throws -> Value) throws -> Value {
        try read(tries: tries) { db in try transaction(.deferred, db) { try body(db) } }
    }

    /// Writes all changes in one transaction; `stage` collects them without locking the catalog.
    func write<Staged, Value>(
        staging stage: (Database) throws -> Staged, _ body: (Database, Staged) throws -> Value
    ) throws -> Value {
        guard access != .reading else { throw CatalogError.readOnly(path: path) }
        return try CatalogError.translating(path) {
            try current().queue.writeWithoutTransaction { db in
                let staged = try transaction(.deferred, db) { try stage(db) }
                let value = try transaction(.immediate, db) {
                    let value = try body(db, staged)
                    try Self.writeDate(db)
                    return value
                }
                // A large import leaves a large log; this empties it unless a reader needs it.
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

    /// Returns the catalog's state; asks SQLite, because a commit may leave the file's modification time unchanged.
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

/// An identifier of the catalog's state, which changes whenever another connection changes the catalog.
package struct CatalogState: Equatable, Sendable {
    fileprivate let connection: CatalogConnection
    fileprivate let version: Int64

    package static func == (one: CatalogState, other: CatalogState) -> Bool {
        one.connection === other.connection && one.version == other.version
    }
}
