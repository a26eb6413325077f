import GRDB

/// The revisions of a catalog, as the tables keep them.
enum RevisionLog {
    /// How many revisions are kept: a reader that asks after more imports than that starts anew.
    static let length: Int64 = 10_000

    /// SQL for a tag.
    static let newTag = "lower(hex(randomblob(8)))"

    /// The present revision.
    ///
    /// - Throws: `CatalogError.untracked` for the file of an older keywedge.
    static func current(_ db: Database, path: String) throws -> CatalogRevision {
        guard try CatalogSchema.tracksChanges(db) else { throw CatalogError.untracked(path: path) }
        let sql = "SELECT number, tag FROM revision ORDER BY number DESC LIMIT 1"
        guard let row = try Row.fetchOne(try db.cachedStatement(sql: sql)) else {
            throw CatalogError.damaged(path: path)
        }
        return CatalogRevision(number: row[0], tag: row[1])
    }

    /// Whether changes can be told since a revision.
    static func knows(_ revision: CatalogRevision, _ db: Database) throws -> Bool {
        let sql = "SELECT tag FROM revision WHERE number = ?"
        let tag = try String.fetchOne(
            try db.cachedStatement(sql: sql), arguments: [revision.number])
        return tag == revision.tag
    }

    /// The number of the present revision.
    static func last(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT max(number) FROM revision") ?? 0
    }

    /// Begins a revision.
    ///
    /// - Parameters:
    ///   - number: Its number, higher than the last one's.
    ///   - tag: Its tag; nil for a random one.
    ///   - db: The database, in a transaction.
    ///   - isFirst: Whether it is the first of the catalog: changes cannot be told since earlier
    ///     ones.
    /// - Throws: SQLite's error.
    static func begin(
        _ number: Int64, tag: String? = nil, _ db: Database, isFirst: Bool
    ) throws {
        try db.execute(
            sql: "INSERT INTO revision (number, tag) VALUES (?, coalesce(?, \(newTag)))",
            arguments: [number, tag])
        try forget(upTo: isFirst ? number - 1 : number - length, db)
    }

    /// Forgets revisions, and the removals that only readers of those would be told of.
    static func forget(upTo number: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM revision WHERE number <= ?", arguments: [number])
        let old = "removal WHERE revision <= (SELECT min(number) FROM revision)"
        try db.execute(
            sql: """
                DELETE FROM offer WHERE product IN (SELECT number FROM \(old));
                DELETE FROM \(old);
                """)
    }

    /// Forgets everything: changes can be told since no revision before the next one.
    static func clear(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM revision;
                DELETE FROM offer WHERE product IN (SELECT number FROM removal);
                DELETE FROM removal;
                UPDATE product SET revision = 0 WHERE revision > 0;
                UPDATE product SET delisted = 0 WHERE delisted > 0;
                UPDATE offer SET revision = 0 WHERE revision > 0;
                """)
    }
}
