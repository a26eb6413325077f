import GRDB

/// The offers of articles that are gone, until the article comes back.
///
/// A file or a catalog that is followed may lack an article by mistake, and have it again the next day:
/// the shops' prices are not in it, and would be lost. An offer comes back with the next common row of
/// its article, or with a row of its own shop.
final class WaitingOffers {
    /// Lies in the catalog's own file, and is made once there is something to keep.
    private static let table = """
        CREATE TABLE IF NOT EXISTS waiting_offer (
            id TEXT NOT NULL,
            scope INTEGER NOT NULL,
            listed INTEGER NOT NULL,
            price TEXT,
            currency TEXT,
            dated_prices TEXT,
            PRIMARY KEY (id, scope)
        ) STRICT, WITHOUT ROWID
        """

    private let db: Database
    private var hasTable: Bool

    /// Looks whether there are any.
    init(_ db: Database) throws {
        self.db = db
        hasTable = try db.hasTable("waiting_offer")
    }

    /// Keeps the offers of a product that goes.
    func keep(offersOf number: Int64, id: String) throws {
        let offers = "FROM offer WHERE product = ? AND listed IS NOT NULL"
        let any = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 \(offers))")
        guard try Bool.fetchOne(any, arguments: [number]) == true else { return }
        if !hasTable { try db.execute(sql: Self.table) }
        hasTable = true
        let sql = """
            INSERT OR REPLACE INTO waiting_offer
                (id, scope, listed, price, currency, dated_prices)
            SELECT ?, scope, listed, price, currency, dated_prices \(offers)
            """
        try db.cachedStatement(sql: sql).execute(arguments: [id, number])
    }

    /// Gives a product that has come back the offers that wait for it; what shops have said since
    /// holds.
    ///
    /// - Parameters:
    ///   - id: The product's id.
    ///   - number: The number it has now.
    ///   - scope: The shop whose offer comes back; nil for all.
    ///   - revision: The one in which that is.
    /// - Returns: Whether one has come back.
    /// - Throws: SQLite's error.
    @discardableResult
    func restore(
        id: String, as number: Int64, of scope: Int64? = nil, revision: Int64
    ) throws -> Bool {
        guard hasTable else { return false }
        // A shop that does not list it has lost nothing by that.
        let sql = """
            INSERT INTO offer (scope, product, listed, price, currency, dated_prices, revision)
            SELECT scope, ?1, listed, price, currency, dated_prices, iif(listed = 1, ?2, 0)
            FROM waiting_offer WHERE id = ?3 AND (?4 IS NULL OR scope = ?4)
            ON CONFLICT (scope, product) DO UPDATE
            SET listed = excluded.listed, price = excluded.price, currency = excluded.currency,
                dated_prices = excluded.dated_prices, revision = max(revision, excluded.revision)
            WHERE offer.listed IS NULL
            """
        try db.cachedStatement(sql: sql).execute(arguments: [number, revision, id, scope])
        let isBack = db.changesCount > 0
        try forget("id = ?1 AND (?2 IS NULL OR scope = ?2)", [id, scope])
        return isBack
    }

    /// Forgets the offers of an article.
    func forget(id: String) throws { try forget("id = ?", [id]) }

    /// Forgets the offers of a shop.
    func forget(scope: Int64) throws { try forget("scope = ?", [scope]) }

    /// Forgets all offers.
    func forgetAll() throws { try forget("1", []) }

    private func forget(_ condition: String, _ arguments: StatementArguments) throws {
        guard hasTable else { return }
        let sql = "DELETE FROM waiting_offer WHERE \(condition)"
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
