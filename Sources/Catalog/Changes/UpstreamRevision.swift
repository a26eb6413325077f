import GRDB

/// Decides whether a catalog that follows another one has the other's revision for its own.
///
/// It has where both hold the same products: nobody changed anything here since it was followed last,
/// and it has no product of its own. Whoever follows this catalog may then be pointed at the other one
/// and back. A change on this box begins a revision of its own, which the other catalog does not know.
enum UpstreamRevision {
    /// The revision that this catalog has once it has followed.
    ///
    /// - Parameters:
    ///   - text: The revision of the other catalog.
    ///   - isWhole: Whether all products of it are read.
    ///   - before: The revision of it that was followed last.
    ///   - db: The database, in a transaction.
    /// - Returns: The other's revision; nil for one of this catalog's own.
    /// - Throws: SQLite's error.
    static func claim(
        _ text: String, isWhole: Bool, had before: String?, _ db: Database
    ) throws -> CatalogRevision? {
        guard let revision = CatalogRevision(text),
            (1...CatalogRevision.highest).contains(revision.number)
        else { return nil }
        let present = try present(db)
        let isSame = try before.map { $0 == present } ?? isEmpty(db)
        guard try isSame || (isWhole && !hasOwnProducts(db)) else { return nil }
        if before != nil {
            let last = try RevisionLog.last(db)
            if text == present || revision.number > last { return revision }
        }
        // What was counted here before has nothing to do with the other's numbers.
        guard isWhole else { return nil }
        try RevisionLog.clear(db)
        return revision
    }

    /// Whether this catalog is, as far as it knows, what the other one was when it was followed.
    static func isSame(as upstream: Upstream, _ db: Database) throws -> Bool {
        try present(db) == upstream.revision
    }

    private static func present(_ db: Database) throws -> String {
        let sql = "SELECT number || '-' || tag FROM revision ORDER BY number DESC LIMIT 1"
        return try String.fetchOne(db, sql: sql) ?? ""
    }

    private static func isEmpty(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM product)") ?? false
    }

    private static func hasOwnProducts(_ db: Database) throws -> Bool {
        let sql = """
            SELECT EXISTS (SELECT 1 FROM product WHERE number NOT IN (SELECT product FROM synced))
            """
        return try Bool.fetchOne(db, sql: sql) ?? true
    }
}
