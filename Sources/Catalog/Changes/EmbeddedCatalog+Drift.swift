import GRDB

extension EmbeddedCatalog {
    /// Lies in the catalog's own file, and is made once there is something to tell.
    private static let driftTable = """
        CREATE TABLE IF NOT EXISTS drift (
            number INTEGER PRIMARY KEY,
            time INTEGER NOT NULL,
            revision TEXT NOT NULL,
            ranges INTEGER NOT NULL,
            mended INTEGER NOT NULL
        ) STRICT
        """

    /// Whether the catalog says that it is what the one is that it follows: nobody has changed it here.
    ///
    /// - Returns: Whether it says so.
    /// - Throws: `CatalogError`.
    package func isSameAsUpstream() throws -> Bool {
        guard let upstream = try upstream() else { return false }
        return try read { try UpstreamRevision.isSame(as: upstream, $0) }
    }

    /// How often the catalog was found to differ from the one it follows, and the last time.
    ///
    /// - Returns: What was found; nil where it never differed.
    /// - Throws: `CatalogError`.
    package func drift() throws -> CatalogDrift? {
        try read { db in
            guard try db.hasTable("drift") else { return nil }
            let sql =
                "SELECT number, time, revision, ranges, mended FROM drift ORDER BY number DESC"
            return try Row.fetchOne(db, sql: sql).map { row in
                CatalogDrift(
                    times: row[0], secondsSince1970: row[1], revision: row[2], ranges: row[3],
                    isMended: row[4])
            }
        }
    }

    /// Keeps that the catalog differs from the one it follows, and takes all products for the other's,
    /// so that reading everything takes away what is not there.
    ///
    /// Where somebody has changed the catalog here since they were compared, nothing is kept: what it
    /// has of its own stays.
    ///
    /// - Parameters:
    ///   - revision: The revision both say they have.
    ///   - ranges: How many ranges of ids differ.
    ///   - seconds: The time, in seconds since 1970.
    /// - Returns: Whether it was kept.
    /// - Throws: `CatalogError`.
    package func noteDrift(
        at revision: String, ranges: Int, secondsSince1970 seconds: Int64
    ) throws -> Bool {
        try write { db in
            guard let upstream = try Self.upstream(db),
                try UpstreamRevision.isSame(as: upstream, db)
            else { return false }
            try db.execute(sql: Self.driftTable)
            let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM drift") ?? 0
            try db.execute(sql: "DELETE FROM drift")
            try db.execute(
                sql: "INSERT INTO drift VALUES (?, ?, ?, ?, 0)",
                arguments: [last + 1, seconds, revision, ranges])
            try db.execute(
                sql: "INSERT OR IGNORE INTO synced (product, run) SELECT number, 0 FROM product")
            return true
        }
    }

    /// Keeps that the catalog no longer differs from the one it follows.
    ///
    /// - Throws: `CatalogError`.
    package func noteMending() throws {
        try write { try $0.execute(sql: "UPDATE drift SET mended = 1") }
    }
}

/// That a catalog differed from the one it follows, although both were at the same revision.
package struct CatalogDrift: Equatable, Sendable {
    /// How often it was found to differ.
    package let times: Int
    /// When it was found last.
    package let secondsSince1970: Int64
    /// The revision both said they had.
    package let revision: String
    /// How many ranges of ids differed.
    package let ranges: Int
    /// Whether it was mended.
    package let isMended: Bool
}
