import GRDB
import Synchronization

/// Narrows a connection to what one shop has, by views that stand before the tables of the same name.
///
/// `product`, `removal` and `revision` are as the shop has them, so that a query need not know of
/// shops. `changed` has the same products as `product` and finds those of a revision by the indices:
/// a product has changed for a shop where the article has, or the shop's offer of it.
///
/// Which shop it is, is set ahead of each reading: one connection serves any number of them.
final class ScopeViews: Sendable {
    /// The shop that is shown.
    private final class Present: Sendable {
        let shop = Mutex<(number: Int64, name: String)?>(nil)
    }

    private let present = Present()

    /// Makes the views.
    ///
    /// - Parameter db: A connection that only reads.
    /// - Throws: SQLite's error.
    init(_ db: Database) throws {
        // SQLite asks once for each run of a statement: that is what `pure` means here.
        db.add(
            function: DatabaseFunction("present_scope", argumentCount: 0, pure: true) {
                [present] _ in present.shop.withLock { $0?.number }
            })
        db.add(
            function: DatabaseFunction("scoped_tag", argumentCount: 1, pure: true) {
                [present] values in
                guard let tag = String.fromDatabaseValue(values[0]) else { return nil }
                return present.shop.withLock { $0.map { CatalogRevision.tag(tag, in: $0.name) } }
            })
        try db.execute(sql: Self.views)
    }

    /// Shows what a shop has, from now on.
    ///
    /// - Returns: Whether there is such a shop.
    func show(_ scope: CatalogScope, _ db: Database) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT number FROM main.scope WHERE name = ?")
        guard let number = try Int64.fetchOne(statement, arguments: [scope.name]) else {
            return false
        }
        present.shop.withLock { $0 = (number, scope.name) }
        return true
    }

    /// A shop's price stands before the common ones, be they for a time or not; its prices for a time
    /// stand before its usual one, and where it has none, before the common ones.
    private static let columns = """
        p.id, p.name, iif(o.price IS NULL, p.price, o.price) AS price,
        iif(o.price IS NULL, p.currency, o.currency) AS currency, p.unit, p.attributes,
        CASE
            WHEN o.price IS NOT NULL THEN o.dated_prices
            WHEN o.dated_prices IS NULL THEN p.dated_prices
            WHEN p.dated_prices IS NULL THEN o.dated_prices
            ELSE o.dated_prices || char(10) || p.dated_prices
        END AS dated_prices
        """
    private static let articles = """
        main.product AS p
        LEFT JOIN main.offer AS o ON o.scope = present_scope() AND o.product = p.number
        """

    /// Those that have changed are found in the order of the index, from any place on.
    ///
    /// For that their number is the offer's, and without `likely`, SQLite would take `revision > 0` for
    /// a narrower condition than which revision it is, and sort all of them for each page.
    private static let offers = """
        main.offer AS o INDEXED BY offer_revision CROSS JOIN main.product AS p
        ON p.number = o.product
        """
    private static let hasChanged = "o.scope = present_scope() AND likely(o.revision > 0)"
    private static let isListed = "coalesce(o.listed, p.listed, 0)"

    /// The articles that a shop had and does not have any more; it is told of no others.
    ///
    /// Where its own row does not list one, the offer says when it had that last; else that is when all
    /// shops lost it, or when it withdrew its row, whichever came last. A withdrawn offer of revision 0
    /// is that of a shop which never had the article (see `Offer.withdrawn`).
    private static let removals = """
        SELECT r.number, r.id, r.revision FROM main.removal AS r
        WHERE r.listed = 1 AND NOT EXISTS (
            SELECT 1 FROM main.offer AS o
            WHERE o.scope = present_scope() AND o.product = r.number)
        UNION ALL
        SELECT o.product, r.id, o.revision
        FROM main.offer AS o INDEXED BY offer_revision CROSS JOIN main.removal AS r
            ON r.number = o.product
        WHERE \(hasChanged)
        UNION ALL
        SELECT o.product, p.id, o.revision FROM \(offers)
        WHERE \(hasChanged) AND \(isListed) = 0
            AND (o.listed = 0 OR o.revision > p.delisted)
        UNION ALL
        SELECT p.number, p.id, p.delisted AS revision FROM \(articles)
        WHERE p.delisted > 0 AND \(isListed) = 0 AND o.listed IS NULL
            AND (o.revision IS NULL OR o.revision BETWEEN 1 AND p.delisted)
        """

    private static let views = """
        PRAGMA query_only = 0;
        PRAGMA temp_store = MEMORY;
        CREATE TEMP VIEW product AS
        SELECT p.number, \(columns), max(p.revision, coalesce(o.revision, 0)) AS revision
        FROM \(articles) WHERE \(isListed) = 1;
        CREATE TEMP VIEW changed AS
        SELECT p.number, \(columns), p.revision AS revision
        FROM \(articles) WHERE \(isListed) = 1 AND p.revision >= coalesce(o.revision, 0)
        UNION ALL
        SELECT o.product, \(columns), o.revision AS revision
        FROM \(offers)
        WHERE \(hasChanged) AND o.revision > p.revision AND \(isListed) = 1;
        CREATE TEMP VIEW removal AS \(removals);
        CREATE TEMP VIEW revision AS SELECT number, scoped_tag(tag) AS tag FROM main.revision;
        PRAGMA query_only = 1;
        """
}
