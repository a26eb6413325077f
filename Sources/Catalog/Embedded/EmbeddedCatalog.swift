import GRDB

/// The catalog in an SQLite file on the box.
///
/// Lookups and imports go on side by side, also in different processes: a lookup sees the catalog
/// as it was before an import or as it is after, never in between. Where the file is replaced by
/// another one, lookups turn to the new one. Lookups need no write permission, neither of the file
/// nor of its folder.
package final class EmbeddedCatalog: Sendable {
    /// What a catalog is opened for.
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
    /// What the catalog was opened for.
    package let access: Access

    let connection: SharedConnection

    /// Opens a catalog file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - access: What it is opened for.
    ///   - busyTimeout: How long to wait for another process that has locked the file.
    /// - Throws: `CatalogError`.
    package init(
        path: String, access: Access = .reading, busyTimeout: Duration = .milliseconds(500)
    ) throws {
        self.path = path
        self.access = access
        connection = try SharedConnection(path: path, access: access, busyTimeout: busyTimeout)
    }

    /// Makes an empty catalog that lives in memory and is gone with this value.
    ///
    /// - Returns: A catalog open for writing.
    /// - Throws: `CatalogError`.
    package static func inMemory() throws -> EmbeddedCatalog {
        try EmbeddedCatalog()
    }

    private init() throws {
        path = ":memory:"
        access = .writing
        connection = SharedConnection(try CatalogConnection.inMemory(), path: path)
    }

    /// How many products the catalog has.
    ///
    /// - Returns: The number of products.
    /// - Throws: `CatalogError`.
    package func count() throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM product") ?? 0 }
    }

    /// Reads from the file the path leads to now.
    ///
    /// - Parameters:
    ///   - tries: How often to read where the file is rewritten meanwhile; 1 for what cannot be
    ///     taken back.
    ///   - body: Reads.
    /// - Returns: What `body` returns.
    /// - Throws: `CatalogError`, and what `body` throws.
    func read<Value>(tries: Int = 8, _ body: (Database) throws -> Value) throws -> Value {
        try CatalogError.translating(path) {
            for _ in 0..<tries {
                let connection = try connection.current()
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

    /// Changes the catalog, all or nothing.
    ///
    /// - Parameters:
    ///   - stage: Collects in temporary tables what is to be written, without a lock on the file.
    ///   - body: Changes the catalog, in a transaction.
    /// - Returns: What `body` returns.
    /// - Throws: `CatalogError`, and what the two throw.
    func write<Staged, Value>(
        staging stage: (Database) throws -> Staged, _ body: (Database, Staged) throws -> Value
    ) throws -> Value {
        guard access != .reading else { throw CatalogError.readOnly(path: path) }
        return try CatalogError.translating(path) {
            try connection.current().queue.writeWithoutTransaction { db in
                let staged = try transaction(.deferred, db) { try stage(db) }
                let value = try transaction(.immediate, db) { try body(db, staged) }
                // A large import leaves a large log; it is folded in unless a reader needs it.
                _ = try? db.checkpoint(.truncate)
                return value
            }
        }
    }

    /// Changes the catalog, all or nothing.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try write(staging: { _ in }, { db, _ in try body(db) })
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
}
