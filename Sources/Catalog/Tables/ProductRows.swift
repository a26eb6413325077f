import GRDB

/// Reads products out of the tables.
enum ProductRows {
    /// A product and its number in the tables.
    struct Numbered {
        let number: Int64
        var product: Product
        /// The position of its last code.
        fileprivate var lastPosition: Int64 = -1
    }

    private static let columns = """
        p.number, p.id, p.name, p.unit, p.attributes, c.position, c.text,
        o.price, o.currency, \(times(in: "''"))
        """

    /// Joins the offer that all shops have, as `o`.
    static let usualOffer = """
        LEFT JOIN offer AS o ON o.product = p.number AND o.scope = '' AND o.position = 0
        """

    private static let withCodes = "LEFT JOIN code AS c ON c.product = p.number"

    // One statement, so that a lookup sees one state of the catalog. Products with the same code come in
    // an order that does not depend on how the catalog came about.
    private static let byKey = """
        SELECT \(columns) FROM code AS k
        CROSS JOIN product AS p ON p.number = k.product
        CROSS JOIN code AS c ON c.product = k.product
        \(usualOffer)
        WHERE k.key = ?
        ORDER BY p.id, c.position
        """

    private static let byText = byKey.replacing(
        "WHERE k.key = ?", with: "WHERE k.key = ? AND k.text = ?")

    private static let byFoldedKey = byKey.replacing(
        "WHERE k.key = ?",
        with: "WHERE k.key = ? COLLATE NOCASE AND \(CatalogSchema.hasLetters(of: "k.key"))")

    private static let one = "SELECT \(columns) FROM product AS p \(withCodes) \(usualOffer)"

    /// A shop's own prices come behind the columns of all shops.
    private static let ofShop = """
        SELECT \(columns), s.price, s.currency, \(times(in: "?1"))
        FROM product AS p \(withCodes) \(usualOffer) \(ofShop(named: "?1"))
        """

    /// Joins what a shop has of its own, as `s`.
    static func ofShop(named scope: String) -> String {
        "LEFT JOIN offer AS s ON s.product = p.number AND s.scope = \(scope) AND s.position = 0"
    }

    /// Whether a shop has a product.
    static let isListed = "coalesce(s.listed, o.listed, 0) = 1"

    /// How many products a shop has; for `?` the shop's name.
    static let countOfShop = """
        SELECT count(*) FROM product AS p \(usualOffer) \(ofShop(named: "?")) WHERE \(isListed)
        """

    /// The prices for a time, as ``DatedPricesText`` has them; they are read in the order of the key.
    private static func times(in scope: String) -> String {
        """
        (SELECT group_concat(d.price || ' ' || d.currency || ' ' || ifnull(d.valid_from, '-')
                || ' ' || ifnull(d.valid_until, '-'), char(10))
            FROM offer AS d
            WHERE d.product = p.number AND d.scope = \(scope) AND d.position > 0)
        """
    }

    /// How a code is looked for.
    enum Search {
        /// Under a key.
        case key(String)
        /// Under a key, and with a text.
        case text(String, key: String)
        /// Under a key, in capital or small letters of ASCII.
        case folded(String)
    }

    /// Finds the products with a code.
    static func match(_ db: Database, _ search: Search) throws -> Match? {
        let (sql, texts) =
            switch search {
            case .key(let key): (byKey, [key])
            case .text(let text, let key): (byText, [key, text])
            case .folded(let key): (byFoldedKey, [key])
            }
        // No product has a NUL, and SQLite reads texts up to the first one.
        guard !texts.contains(where: { $0.utf8.contains(0) }) else { return nil }
        var rows = StatementRows(try db.cachedStatement(sql: sql), db, texts: texts)
        var found: [Numbered] = []
        while try rows.next() {
            let isNew = found.last?.number != rows.number(0)
            if isNew, found.count == Match.candidateLimit { break }
            add(rows, to: &found)
        }
        guard let first = found.first?.product else { return nil }
        let others = found.dropFirst().map(\.product)
        if case .key = search { return Match(key: .gtin, product: first, others: others) }
        return Match(key: .text, product: first, others: others)
    }

    /// Finds a product by its id.
    static func product(_ db: Database, id: String) throws -> Numbered? {
        id.utf8.contains(0)
            ? nil : try first(db, sql: "\(one) WHERE p.id = ? ORDER BY c.position", [id])
    }

    /// Finds a product by its number.
    static func product(_ db: Database, number: Int64) throws -> Numbered? {
        try first(db, sql: "\(one) WHERE p.number = ? ORDER BY c.position", [number])
    }

    /// Products in the order of their import.
    struct Listing {
        var products: [Numbered] = []
        /// Whether there are more, which would not fit.
        var isCut = false
    }

    /// How much a listing may hold, in bytes of text, unless one product alone is larger.
    private static let listingSize = 4 << 20

    /// Reads the products a selection of the table `product` gives, in the order of their import.
    static func list(
        _ db: Database, _ selection: String, arguments: StatementArguments, limit: Int
    ) throws -> Listing {
        let sql = """
            SELECT \(columns)
            FROM (SELECT * FROM product AS p \(selection) ORDER BY p.number LIMIT ?) AS p
            \(withCodes) \(usualOffer) ORDER BY p.number, c.position
            """
        var rows = try StatementRows(
            try db.cachedStatement(sql: sql), db, arguments: arguments + [limit + 1])
        var listing = Listing()
        var size = 0
        while try rows.next() {
            if listing.products.last?.number != rows.number(0) {
                listing.isCut = listing.products.count == limit || size > listingSize
                if listing.isCut { break }
            }
            for column: CInt in [2, 4, 6] { size += rows.text(column)?.utf8.count ?? 0 }
            size += 64
            add(rows, to: &listing.products)
        }
        return listing
    }

    /// The order in which products are read.
    enum Order: String {
        /// That of their import.
        case number = "p.number"
        /// That of their ids, byte by byte.
        case id = "p.id"
    }

    /// Goes through all products, or those that a shop has, with its prices.
    static func forEach(
        _ db: Database, in scope: CatalogScope? = nil, where condition: String = "1",
        by order: Order = .number, _ body: (Numbered) throws -> Void
    ) throws {
        let selection = scope == nil ? "\(one) WHERE" : "\(ofShop) WHERE \(isListed) AND"
        let statement = try db.makeStatement(
            sql: "\(selection) (\(condition)) ORDER BY \(order.rawValue), c.position")
        var rows = StatementRows(statement, db, texts: scope.map { [$0.name] } ?? [])
        var pending: [Numbered] = []
        while try rows.next() {
            if let last = pending.last, last.number != rows.number(0) {
                try body(last)
                pending.removeAll(keepingCapacity: true)
            }
            add(rows, ofShop: scope != nil, to: &pending)
        }
        if let last = pending.last { try body(last) }
    }

    /// Removes a product with its codes and offers.
    static func remove(_ db: Database, number: Int64) throws {
        for (table, column) in [("offer", "product"), ("code", "product"), ("product", "number")] {
            let sql = "DELETE FROM \(table) WHERE \(column) = ?"
            try db.cachedStatement(sql: sql).execute(arguments: [number])
        }
    }

    private static func first(
        _ db: Database, sql: String, _ arguments: StatementArguments
    ) throws -> Numbered? {
        var rows = try StatementRows(try db.cachedStatement(sql: sql), db, arguments: arguments)
        var found: [Numbered] = []
        while try rows.next() { add(rows, to: &found) }
        return found.first
    }

    /// Takes a row: a further code of the last product, or the next product.
    private static func add(
        _ row: borrowing StatementRows, ofShop isOfShop: Bool = false, to found: inout [Numbered]
    ) {
        let number = row.number(0)
        if found.last?.number != number {
            found.append(Numbered(number: number, product: product(row, ofShop: isOfShop)))
        }
        // A code with two keys has two rows, and a product listing a key twice comes twice.
        let last = found.count - 1
        guard !row.isNull(5), row.number(5) > found[last].lastPosition, let text = row.text(6)
        else { return }
        found[last].lastPosition = row.number(5)
        found[last].product.codes.append(text)
    }

    private static func product(
        _ row: borrowing StatementRows, ofShop isOfShop: Bool
    ) -> Product {
        var product = Product(id: row.text(1) ?? "", name: row.text(2), unit: row.text(3))
        product.price = price(row, 7)
        if let text = row.text(9) { product.datedPrices = DatedPricesText.prices(text) }
        if isOfShop { take(row, into: &product) }
        product.attributes = AttributesText.attributes(json: row.text(4))
        return product
    }

    /// Puts a shop's prices before the common ones.
    ///
    /// Its usual price goes before all common prices, its prices for a time before its usual one; if it
    /// has none, they go before the common ones.
    private static func take(_ row: borrowing StatementRows, into product: inout Product) {
        let own = row.text(12).map(DatedPricesText.prices) ?? []
        let price = price(row, 10)
        product.datedPrices = price == nil ? own + product.datedPrices : own
        product.price = price ?? product.price
        // Those of one shop may overlap in an order that an import does not keep.
        let dated = product.datedPrices
        if dated != dated.inOrder { product.datedPrices = dated.apart }
    }

    private static func price(_ row: borrowing StatementRows, _ column: CInt) -> Price? {
        guard let amount = row.text(column), let code = row.text(column + 1),
            let currency = Currency(code)
        else { return nil }
        return Price(canonical: amount, currency: currency)
    }
}
