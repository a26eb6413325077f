import GRDB

/// What a shop has in place of what all shops have.
struct Offer: Equatable {
    /// Whether the shop has the article; nil for an offer that was withdrawn: as all shops have it.
    var isListed: Bool?
    /// The shop's usual price; nil for the common one.
    var price: Price?
    /// The shop's prices for a time.
    var datedPrices: [DatedPrice] = []

    /// An offer that says nothing any more.
    ///
    /// Its row stays, so that readers of changes are told; one of revision 0 is that of a shop which
    /// never had the article, and is told nothing.
    static let withdrawn = Offer()
}

/// An article, as far as offers have to do with it.
struct Article {
    let number: Int64
    let id: String
    /// Whether every shop has it; nil where no row without a shop has named it.
    let isListed: Bool?
    let price: Price?
    let datedPrices: [DatedPrice]
    /// In which revision it was last taken from every shop; 0 where it never was.
    let delisted: Int64

    /// Finds an article; nil where there is none.
    static func find(_ db: Database, number: Int64) throws -> Article? {
        try first(db, "number = ?", [number])
    }

    /// Finds an article; nil where there is none.
    static func find(_ db: Database, id: String) throws -> Article? {
        try id.utf8.contains(0) ? nil : first(db, "id = ?", [id])
    }

    private static func first(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> Article? {
        let sql = """
            SELECT price, currency, dated_prices, number, id, listed, delisted FROM product
            WHERE \(condition)
            """
        let row = try Row.fetchOne(try db.cachedStatement(sql: sql), arguments: arguments)
        return row.map { row in
            Article(
                number: row[3], id: row[4], isListed: row[5], price: OfferTable.price(row),
                datedPrices: OfferTable.datedPrices(row), delisted: row[6])
        }
    }

    /// Whether a shop has the article.
    ///
    /// - Parameters:
    ///   - offer: What the shop has in its place.
    ///   - isListed: Whether every shop has it.
    /// - Returns: Whether the shop has it.
    static func isSeen(with offer: Offer?, listed isListed: Bool) -> Bool {
        offer?.isListed ?? isListed
    }

    /// The article with the prices that a shop has; nil where the shop does not have it.
    func seen(with offer: Offer?) -> Product? {
        guard Self.isSeen(with: offer, listed: isListed ?? false) else { return nil }
        var product = Product(id: id, price: offer?.price ?? price)
        let own = offer?.datedPrices ?? []
        product.datedPrices = offer?.price == nil ? own + datedPrices : own
        return product
    }
}

/// The tables `scope` and `offer`.
struct OfferTable {
    private let db: Database

    init(_ db: Database) {
        self.db = db
    }

    /// The number of a shop, which it gets where it is new.
    func number(of scope: CatalogScope) throws -> Int64 {
        let known = "SELECT number FROM scope WHERE name = ?"
        if let number = try Int64.fetchOne(db, sql: known, arguments: [scope.name]) {
            return number
        }
        try db.execute(sql: "INSERT INTO scope (name) VALUES (?)", arguments: [scope.name])
        return db.lastInsertedRowID
    }

    /// A shop's offer of a product; nil where there is none.
    func offer(scope: Int64, product: Int64) throws -> Offer? {
        let sql = """
            SELECT price, currency, dated_prices, listed FROM offer
            WHERE scope = ? AND product = ?
            """
        let row = try Row.fetchOne(
            try db.cachedStatement(sql: sql), arguments: [scope, product])
        return row.map(Self.offer)
    }

    /// Writes a shop's offer of a product.
    func write(_ offer: Offer, scope: Int64, product: Int64, revision: Int64) throws {
        let sql = """
            INSERT INTO offer (scope, product, listed, price, currency, dated_prices, revision)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT (scope, product) DO UPDATE
            SET listed = ?3, price = ?4, currency = ?5, dated_prices = ?6, revision = ?7
            """
        try db.cachedStatement(sql: sql).execute(arguments: [
            scope, product, offer.isListed, offer.price?.amount, offer.price?.currency.code,
            DatedPricesText.text(offer.datedPrices), revision,
        ])
    }

    /// In which revision a shop that does not have an article had it last; 0 where it never did.
    func lastSeen(scope: Int64, product: Int64) throws -> Int64 {
        let sql = """
            SELECT CASE
                WHEN o.listed = 0 OR o.revision = 0 THEN o.revision
                ELSE max(coalesce(o.revision, 0), p.delisted)
            END
            FROM product AS p LEFT JOIN offer AS o ON o.scope = ? AND o.product = p.number
            WHERE p.number = ?
            """
        let statement = try db.cachedStatement(sql: sql)
        return try Int64.fetchOne(statement, arguments: [scope, product]) ?? 0
    }

    /// Withdraws all offers of a product that goes.
    ///
    /// - Parameters:
    ///   - product: Its number.
    ///   - isListed: Whether every shop has it.
    ///   - revision: The one in which it goes.
    /// - Throws: SQLite's error.
    func withdrawAll(of product: Int64, listed isListed: Bool, revision: Int64) throws {
        let sql = """
            UPDATE offer
            SET listed = NULL, price = NULL, currency = NULL, dated_prices = NULL, revision =
                iif(listed = 1 OR listed IS NULL AND (?1 OR revision > 0), ?2, revision)
            WHERE product = ?3
            """
        try db.cachedStatement(sql: sql).execute(arguments: [isListed, revision, product])
    }

    /// Lets what shops knew of a product that was gone count for the one with its id.
    func move(from old: Int64, to new: Int64, revision: Int64) throws {
        let sql = """
            UPDATE offer SET product = ?1, revision = iif(revision > 0, ?2, 0) WHERE product = ?3
            """
        try db.cachedStatement(sql: sql).execute(arguments: [new, revision, old])
    }

    /// Forgets which shops never had a product: every shop has had it by now.
    func forgetStrangers(to product: Int64) throws {
        let sql = "DELETE FROM offer WHERE product = ? AND listed IS NULL AND revision = 0"
        try db.cachedStatement(sql: sql).execute(arguments: [product])
    }

    /// An offer out of a row that begins with its prices and whether it is listed.
    static func offer(_ row: Row) -> Offer {
        Offer(isListed: row[3], price: price(row), datedPrices: datedPrices(row))
    }

    static func price(_ row: Row) -> Price? {
        guard let amount: String = row[0], let code: String = row[1],
            let currency = Currency(code)
        else { return nil }
        return Price(canonical: amount, currency: currency)
    }

    static func datedPrices(_ row: Row) -> [DatedPrice] {
        (row[2] as String?).map(DatedPricesText.prices) ?? []
    }
}
