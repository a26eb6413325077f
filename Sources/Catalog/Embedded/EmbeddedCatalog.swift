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

    /// The shop as which it is read; nil for all articles, with the common prices.
    package let scope: CatalogScope?

    let connection: SharedConnection
    private let shops: ShopConnection

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
        scope = nil
        connection = try SharedConnection(path: path, access: access, busyTimeout: busyTimeout)
        shops = ShopConnection(path: path, busyTimeout: busyTimeout)
    }

    /// Opens a catalog file to read what one shop has.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - scope: The shop.
    ///   - busyTimeout: How long to wait for another process that has locked the file.
    /// - Throws: `CatalogError`, `.unknownScope` among them.
    package convenience init(
        path: String, scope: CatalogScope, busyTimeout: Duration = .milliseconds(500)
    ) throws {
        try self.init(ShopConnection(path: path, busyTimeout: busyTimeout), scope: scope)
        try read { _ in }
    }

    private init(_ shops: ShopConnection, scope: CatalogScope) throws {
        connection = try shops.shared()
        path = connection.path
        access = .reading
        self.scope = scope
        self.shops = shops
    }

    /// The same catalog as a shop reads it, over one connection for all shops.
    ///
    /// - Parameter scope: The shop; reading fails where there is no such. Nil for this catalog.
    /// - Returns: The catalog.
    /// - Throws: `CatalogError`.
    package func seen(in scope: CatalogScope?) throws -> EmbeddedCatalog {
        guard let scope, scope != self.scope else { return self }
        return try EmbeddedCatalog(shops, scope: scope)
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
        scope = nil
        connection = SharedConnection(try CatalogConnection.inMemory(), path: path)
        shops = ShopConnection(path: path, busyTimeout: .zero)
    }

    /// How many products the catalog has.
    ///
    /// - Returns: The number of products.
    /// - Throws: `CatalogError`.
    package func count() throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM product") ?? 0 }
    }

    /// Whether the file is as this keywedge writes it, and not as an older one did.
    ///
    /// - Returns: Whether it is.
    /// - Throws: `CatalogError`.
    package func isPresent() throws -> Bool { try read(CatalogSchema.isPresent) }

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
                let result = Result {
                    try connection.queue.unsafeRead { db in
                        try connection.show(scope, db, path: path)
                        return try body(db)
                    }
                }
                // What was read while the file was rewritten says nothing, be it an error.
                if connection.isUnchanged(path: path) { return try result.get() }
            }
            throw CatalogError.changing(path: path)
        }
    }

    /// Changes the catalog, all or nothing.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        guard access != .reading else { throw CatalogError.readOnly(path: path) }
        return try CatalogError.translating(path) {
            try connection.current().queue.writeWithoutTransaction { db in
                try db.beginTransaction(.immediate)
                let value: Value
                do {
                    value = try body(db)
                    try db.commit()
                } catch {
                    // SQLite may have rolled back already, as it does when the disk is full.
                    if db.isInsideTransaction { try? db.rollback() }
                    throw error
                }
                // A large import leaves a large log; it is folded in unless a reader needs it.
                _ = try? db.checkpoint(.truncate)
                return value
            }
        }
    }
}
