import GRDB

extension EmbeddedCatalog {
    /// How often products were changed while the revision stayed: by reading everything again from the
    /// catalog that is followed, where this one differed from it.
    ///
    /// What was made of a revision before, such as digests or a file, may be wrong then.
    ///
    /// - Returns: The number; it only grows.
    /// - Throws: `CatalogError`.
    package func rereadings() throws -> Int64 {
        try read { db in
            guard try db.hasTable("rereading") else { return 0 }
            return try Int64.fetchOne(db, sql: "SELECT max(number) FROM rereading") ?? 0
        }
    }

    /// Counts one more.
    static func noteRereading(_ db: Database) throws {
        // Lies in the catalog's own file, and is made once there is something to count.
        try db.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS rereading (number INTEGER PRIMARY KEY) STRICT;
                INSERT INTO rereading SELECT coalesce(max(number), 0) + 1 FROM rereading;
                DELETE FROM rereading WHERE number < (SELECT max(number) FROM rereading);
                """)
    }
}
