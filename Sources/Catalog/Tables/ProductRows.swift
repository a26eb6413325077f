import GRDB

/// Reads products out of the tables.
enum ProductRows {
    /// A product and its number in the tables.
    struct Numbered {
        let number: Int64
        var product: Product
    }

    private static let columns = """
        p.number, p.id, p.name, p.price, p.currency, p.unit, p.attributes, c.position, c.text,
        p.dated_prices
        """

    // One statement, so that a lookup sees one state of the catalog. The order is that of the
    // indices, which the joins keep: nothing is sorted.
    private static let byKey = """
        SELECT \(columns) FROM code AS k
        CROSS JOIN product AS p ON p.number = k.product
        CROSS JOIN code AS c ON c.product = k.product
        WHERE k.key = ?
        ORDER BY k.product, k.position, c.product, c.position, c.key
        """

    private static let byText = byKey.replacing(
        "WHERE k.key = ?", with: "WHERE k.key = ? AND k.text = ?")

    private static let byID = """
        SELECT \(columns) FROM product AS p LEFT JOIN code AS c ON c.product = p.number
        WHERE p.id = ? ORDER BY c.position
        """

    private static let byNumber = """
        SELECT \(columns) FROM product AS p LEFT JOIN code AS c ON c.product = p.number
        WHERE p.number = ? ORDER BY c.position
        """

    private static let all = """
        SELECT \(columns) FROM product AS p LEFT JOIN code AS c ON c.product = p.number
        ORDER BY p.number, c.position
        """

    /// Finds the products with a code: under a key, and with a text where that counts.
    static func match(_ db: Database, key: String, text: String?) throws -> Match? {
        // No product has a NUL, and GRDB hands texts over up to the first one.
        guard !key.utf8.contains(0), !(text?.utf8.contains(0) ?? false) else { return nil }
        let statement = try db.cachedStatement(sql: text == nil ? byKey : byText)
        var rows =
            if let text {
                StatementRows(statement, db, texts: key, text)
            } else {
                StatementRows(statement, db, texts: key)
            }
        var found: [Numbered] = []
        while try rows.next() {
            let isNew = found.last?.number != rows.number(0)
            if isNew, found.count == Match.candidateLimit { break }
            add(rows, to: &found)
        }
        guard let first = found.first?.product else { return nil }
        let others = found.dropFirst().map(\.product)
        return Match(key: text == nil ? .gtin : .text, product: first, others: others)
    }

    /// Finds a product by its id.
    static func product(_ db: Database, id: String) throws -> Numbered? {
        id.utf8.contains(0) ? nil : try first(db, sql: byID, arguments: [id])
    }

    /// Finds a product by its number.
    static func product(_ db: Database, number: Int64) throws -> Numbered? {
        try first(db, sql: byNumber, arguments: [number])
    }

    /// Products in the order of their import.
    struct Listing {
        var products: [Numbered] = []
        /// Whether there are more, which would not fit.
        var isCut = false
    }

    /// How much a listing may hold, in bytes of text, unless one product alone is larger.
    static let listingSize = 4 << 20

    /// Reads the products a selection of the table `product` gives, in the order of their import.
    ///
    /// - Parameters:
    ///   - db: The database.
    ///   - table: The table `product`, or a view of the same columns.
    ///   - selection: What stands behind `SELECT * FROM product AS p`.
    ///   - arguments: The values of its parameters, all but the limit.
    ///   - limit: How many products there may be; whether there are more is told.
    ///   - size: How much was read before; what is read is added.
    /// - Returns: The products.
    /// - Throws: SQLite's error.
    static func list(
        _ db: Database, from table: String = "product", _ selection: String,
        arguments: StatementArguments, limit: Int, size: inout Int
    ) throws -> Listing {
        let sql = """
            SELECT \(columns)
            FROM (SELECT * FROM \(table) AS p \(selection) ORDER BY p.number LIMIT ?) AS p
            LEFT JOIN code AS c ON c.product = p.number ORDER BY p.number, c.position
            """
        var rows = try StatementRows(
            try db.cachedStatement(sql: sql), db, arguments: arguments + [limit + 1])
        var listing = Listing()
        while try rows.next() {
            if listing.products.last?.number != rows.number(0) {
                listing.isCut = listing.products.count == limit || size > listingSize
                if listing.isCut { break }
            }
            for column: CInt in [2, 6, 8] { size += rows.text(column)?.utf8.count ?? 0 }
            size += 64
            add(rows, to: &listing.products)
        }
        return listing
    }

    /// Reads the products of a range of ids, in the ids' order.
    static func list(_ db: Database, _ range: IDRange, limit: Int) throws -> [Product] {
        let end = range.before == nil ? "" : "AND id < ?"
        let sql = """
            SELECT \(columns)
            FROM (SELECT * FROM product WHERE id >= ? \(end) ORDER BY id LIMIT ?) AS p
            LEFT JOIN code AS c ON c.product = p.number ORDER BY p.id, c.position
            """
        let arguments: StatementArguments =
            [range.from ?? ""] + (range.before.map { [$0] } ?? []) + [limit]
        var rows = try StatementRows(
            try db.cachedStatement(sql: sql), db, arguments: arguments)
        var found: [Numbered] = []
        while try rows.next() { add(rows, to: &found) }
        return found.map(\.product)
    }

    /// Goes through all products in the order of their import.
    static func forEach(_ db: Database, _ body: (Numbered) throws -> Void) throws {
        var rows = StatementRows(try db.makeStatement(sql: all), db)
        var pending: [Numbered] = []
        while try rows.next() {
            if let last = pending.last, last.number != rows.number(0) {
                try body(last)
                pending.removeAll(keepingCapacity: true)
            }
            add(rows, to: &pending)
        }
        if let last = pending.last { try body(last) }
    }

    private static func first(
        _ db: Database, sql: String, arguments: StatementArguments
    ) throws -> Numbered? {
        var rows = try StatementRows(
            try db.cachedStatement(sql: sql), db, arguments: arguments)
        var found: [Numbered] = []
        while try rows.next() { add(rows, to: &found) }
        return found.first
    }

    /// Takes a row: a further code of the last product, or the next product.
    private static func add(_ row: borrowing StatementRows, to found: inout [Numbered]) {
        let number = row.number(0)
        if found.last?.number != number {
            found.append(Numbered(number: number, product: product(row)))
        }
        // A code with two keys has two rows, and a product listing a key twice comes twice.
        let last = found.count - 1
        guard !row.isNull(7), row.number(7) == found[last].product.codes.count,
            let text = row.text(8)
        else { return }
        found[last].product.codes.append(text)
    }

    private static func product(_ row: borrowing StatementRows) -> Product {
        var product = Product(id: row.text(1) ?? "", name: row.text(2), unit: row.text(5))
        if let amount = row.text(3), let code = row.text(4),
            let currency = Currency(code)
        {
            product.price = Price(canonical: amount, currency: currency)
        }
        if let text = row.text(9) { product.datedPrices = DatedPricesText.prices(text) }
        if let json = row.text(6) {
            product.attributes = AttributesText.attributes(json: json)
        }
        return product
    }
}
