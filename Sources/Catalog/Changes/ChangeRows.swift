import GRDB

/// Reads changes out of the tables, in the order in which they were made.
struct ChangeRows {
    /// A product that has changed or is gone.
    enum Change {
        case product(Product)
        case removal(id: String)
    }

    /// A change and its place among the others.
    struct Placed {
        let revision: Int64
        let number: Int64
        let change: Change
    }

    /// Changes, and whether there are more.
    struct Listing {
        var changes: [Placed] = []
        var isCut = false
    }

    private let db: Database
    /// The table or view that finds products by their revision.
    private let table: String
    private let limit: Int
    private var size = 0

    init(_ db: Database, from table: String, limit: Int) {
        self.db = db
        self.table = table
        self.limit = limit
    }

    /// The changes behind a place: those of the same revision with a higher number, and those of
    /// later revisions.
    mutating func changes(after revision: Int64, _ number: Int64) throws -> Listing {
        var listing = try changes(of: revision, after: number, limit: limit)
        var revision = revision
        while !listing.isCut, let later = try nextRevision(after: revision) {
            let rest = limit - listing.changes.count
            guard rest > 0 else {
                listing.isCut = true
                break
            }
            let more = try changes(of: later, after: 0, limit: rest)
            listing.changes += more.changes
            listing.isCut = more.isCut
            revision = later
        }
        return listing
    }

    /// One revision at a time: the index then leads to the first row, however many there are; why
    /// `likely`, see `ScopeViews.offers`.
    private mutating func changes(
        of revision: Int64, after number: Int64, limit: Int
    ) throws -> Listing {
        let products = try ProductRows.list(
            db, from: table, "WHERE likely(revision > 0) AND revision = ? AND number > ?",
            arguments: [revision, number], limit: limit, size: &size)
        // Behind the last product that was read there may be one that was not.
        let last = products.isCut ? products.products.last?.number ?? number : .max
        let sql = """
            SELECT number, id FROM removal WHERE revision = ? AND number > ? AND number < ?
            ORDER BY number LIMIT ?
            """
        let removals = try Row.fetchAll(
            try db.cachedStatement(sql: sql), arguments: [revision, number, last, limit + 1])
        let all =
            products.products.map {
                Placed(revision: revision, number: $0.number, change: .product($0.product))
            }
            + removals.map {
                Placed(revision: revision, number: $0[0], change: .removal(id: $0[1]))
            }
        let sorted = all.sorted { $0.number < $1.number }
        return Listing(
            changes: Array(sorted.prefix(limit)), isCut: products.isCut || sorted.count > limit)
    }

    private func nextRevision(after revision: Int64) throws -> Int64? {
        let sql = """
            SELECT min(number) FROM (
                SELECT * FROM (
                    SELECT revision AS number FROM \(table)
                    WHERE likely(revision > 0) AND revision > ?1 ORDER BY revision LIMIT 1)
                UNION ALL SELECT * FROM (
                    SELECT revision FROM removal WHERE revision > ?1 ORDER BY revision LIMIT 1))
            """
        return try Int64.fetchOne(try db.cachedStatement(sql: sql), arguments: [revision])
    }
}
