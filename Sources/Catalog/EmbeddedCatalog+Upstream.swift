import GRDB

extension EmbeddedCatalog {
    /// The catalog that this one follows.
    ///
    /// - Returns: Where it is and how far it was followed; nil where none is.
    /// - Throws: `CatalogError`.
    package func upstream() throws -> Upstream? {
        try read { db in
            guard try CatalogSchema.tracksChanges(db) else { return nil }
            return try Self.upstream(db)
        }
    }

    /// Takes over what has changed in the catalog that is followed, in one transaction: all or
    /// nothing.
    ///
    /// A product is taken over whatever this catalog has under its id, and is the other catalog's
    /// from then on: gone there, it is gone here. Products that the other catalog never had stay.
    ///
    /// - Parameters:
    ///   - upstream: The catalog that is followed, and the revision all changes lead to.
    ///   - base: The revision the changes start from; nil where they are all products there are:
    ///     what came from there before and is not among them is removed.
    ///   - mayEmpty: Whether all products that came from there may go, where there were some.
    ///   - next: Gives the changes part by part; nil at the end. What it throws ends it with nothing
    ///     taken over.
    /// - Returns: What was done.
    /// - Throws: `FollowError`, `CatalogError`, and what `next` throws.
    @discardableResult
    package func follow(
        _ upstream: Upstream, since base: String?, allowingEmpty mayEmpty: Bool = true,
        next: () throws -> UpstreamChanges?
    ) throws -> FollowSummary {
        try write { db in
            let before = try Self.upstream(db)
            if let base, before?.revision != base {
                throw FollowError.overtaken(by: before?.revision)
            }
            let run = try Int64.fetchOne(db, sql: "SELECT run FROM upstream").map { $0 + 1 } ?? 1
            let hadProducts = try Self.hasProductsOfUpstream(db)
            var writer = try UpstreamWriter(db, run: run)
            while let changes = try next() { try writer.write(changes) }
            if base == nil { try writer.removeOthers() }
            guard try mayEmpty || !hadProducts || Self.hasProductsOfUpstream(db) else {
                throw FollowError.emptied
            }
            try writer.finish()
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO upstream (number, url, revision, run)
                    VALUES (1, ?, ?, ?)
                    """, arguments: [upstream.url, upstream.revision, run])
            return writer.summary
        }
    }

    private static func hasProductsOfUpstream(_ db: Database) throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM synced JOIN product ON number = synced.product)"
        return try Bool.fetchOne(db, sql: sql) ?? false
    }

    private static func upstream(_ db: Database) throws -> Upstream? {
        guard let row = try Row.fetchOne(db, sql: "SELECT url, revision FROM upstream") else {
            return nil
        }
        return Upstream(url: row[0], revision: row[1])
    }
}
