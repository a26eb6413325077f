import GRDB
import WireText

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

    private static let withCodes = "LEFT JOIN code AS c ON c.product = p.number"
    private static let all = "SELECT \(columns) FROM product AS p \(withCodes) \(usualOffer)"

    // A shop's own prices come after the columns of all shops.
    private static let allOfShop = """
        SELECT \(columns), s.price, s.currency, \(times(in: "?1"))
        FROM product AS p \(withCodes) \(usualOffer) \(ofShop(named: "?1")) WHERE \(isListed)
        """

    // One statement, so that a lookup sees one state of the catalog. The order is that of the indices, which
    // the joins keep: SQLite sorts nothing.
    private static func sharing(_ code: String) -> String {
        """
        SELECT \(columns) FROM code AS k
        CROSS JOIN product AS p ON p.number = k.product
        CROSS JOIN code AS c ON c.product = k.product
        \(usualOffer)
        WHERE \(code) ORDER BY k.product, k.position, c.product, c.position, c.key
        """
    }

    private static let byKey = sharing("k.key = ?")
    private static let byText = sharing("k.key = ? AND k.text = ?")
    private static let byFoldedKey = sharing(
        "k.key = ? COLLATE NOCASE AND \(CatalogSchema.hasLetters(of: "k.key"))")

    /// How a code is looked for.
    enum Search {
        /// Under a key.
        case key(String)
        /// Under a key, and with a text.
        case text(String, key: String)
        /// Under a key, in capital or small letters of ASCII.
        case folded(String)
    }

    /// Finds the products with a code; those whose ids come first, however the catalog came about.
    static func match(_ db: Database, _ search: Search) throws -> Match? {
        let (sql, texts, found): (String, [String], Match.Key) =
            switch search {
            case .key(let key): (byKey, [key], .gtin)
            case .text(let text, let key): (byText, [key, text], .text)
            case .folded(let key): (byFoldedKey, [key], .text)
            }
        // No product has a NUL, and SQLite reads texts up to the first one.
        guard !texts.contains(where: { $0.utf8.contains(0) }) else { return nil }
        var products: [Product] = []
        try read(db, sql, texts) { next in
            let id = next.product.id.utf8
            let place = products.firstIndex { id.lexicographicallyPrecedes($0.id.utf8) }
            products.insert(next.product, at: place ?? products.endIndex)
            if products.count > Match.candidateLimit { products.removeLast() }
            return true
        }
        guard let first = products.first else { return nil }
        return Match(key: found, product: first, others: Array(products.dropFirst()))
    }

    /// Finds a product by its id.
    static func product(_ db: Database, id: String) throws -> Numbered? {
        id.utf8.contains(0) ? nil : try first(db, "p.id = ?", id)
    }

    /// Finds a product by its number.
    static func product(_ db: Database, number: Int64) throws -> Numbered? {
        try first(db, "p.number = ?", number)
    }

    private static func first(
        _ db: Database, _ condition: String, _ value: any StatementBinding
    ) throws -> Numbered? {
        var found: Numbered?
        try read(db, "\(all) WHERE \(condition) ORDER BY c.position", [value]) {
            found = $0
            return false
        }
        return found
    }

    /// Reads products that meet a condition on `product AS p`, in the order of their import, until `body`
    /// returns false.
    static func read(
        _ db: Database, where condition: String, _ values: [any StatementBinding], limit: Int,
        _ body: (Numbered) throws -> Bool
    ) throws {
        let sql = """
            SELECT \(columns)
            FROM (SELECT * FROM product AS p WHERE \(condition) ORDER BY p.number LIMIT ?) AS p
            \(withCodes) \(usualOffer) ORDER BY p.number, c.position
            """
        try read(db, sql, values + [limit], body)
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
        _ db: Database, in scope: CatalogScope? = nil, where condition: String? = nil,
        by order: Order,
        _ body: (Numbered) throws -> Void
    ) throws {
        let selection = scope == nil ? condition.map { "\(all) WHERE \($0)" } ?? all : allOfShop
        let sql = "\(selection) ORDER BY \(order.rawValue), c.position"
        try read(db, sql, scope.map { [$0.name] } ?? [], ofShop: scope != nil) {
            try body($0)
            return true
        }
    }

    /// Reads rows that have each product's codes one after the other, until `body` returns false.
    private static func read(
        _ db: Database, _ sql: String, _ values: [any StatementBinding], ofShop: Bool = false,
        _ body: (Numbered) throws -> Bool
    ) throws {
        var rows = StatementRows(try db.cachedStatement(sql: sql), db, values)
        var last: Numbered?
        while try rows.next() {
            let number = rows.number(0)
            if last?.number != number {
                if let last, try !body(last) { return }
                last = Numbered(number: number, product: product(rows, ofShop: ofShop))
            }
            // A code with two keys has two rows, and a product listing a key twice comes twice.
            guard let position = last?.lastPosition, let text = rows.text(6),
                rows.number(5) > position
            else { continue }
            last?.lastPosition = rows.number(5)
            last?.product.codes.append(text)
        }
        if let last { _ = try body(last) }
    }

    private static func product(
        _ row: borrowing StatementRows, ofShop isOfShop: Bool
    ) -> Product {
        var product = Product(id: row.text(1) ?? "", name: row.text(2), unit: row.text(3))
        product.price = price(row, 7)
        product.datedPrices = row.text(9).map(DatedPricesText.prices) ?? []
        if isOfShop { addOffer(row, to: &product) }
        product.attributes = AttributesText.attributes(row.text(4))
        return product
    }

    /// Puts a shop's prices before the common ones.
    ///
    /// Its usual price goes before all common prices, its prices for a time before its usual one; if it
    /// has none, they go before the common ones.
    private static func addOffer(_ row: borrowing StatementRows, to product: inout Product) {
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

/// Attributes as a column keeps them: a JSON object of texts, sorted by name; null for none.
enum AttributesText {
    static func text(_ attributes: [String: String]) -> String? {
        guard !attributes.isEmpty else { return nil }
        return JSONWriter.text(of: .object(Product(id: "", attributes: attributes).jsonAttributes))
    }

    /// Reads what ``text(_:)`` has written; what is no text is left out.
    static func attributes(_ text: String?) -> [String: String] {
        guard let text, let json = try? JSONReader.read(text) else { return [:] }
        var attributes: [String: String] = [:]
        for member in json.object?.members ?? [] { attributes[member.key] = member.value.string }
        return attributes
    }
}
