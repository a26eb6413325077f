import GRDB
import GRDBSQLite
import WireText

/// A reader of a query's products that avoids GRDB's rows, which would take twice as long.
struct ProductRows: ~Copyable {
    private let db: Database
    private let statement: Statement

    /// Selects the products that meet an SQL condition on `product AS p`, in import order or, if `sortedByID`, by id;
    /// if `scope` is given, selects only products that this shop sells, with its prices.
    init(
        _ db: Database, in scope: CatalogScope? = nil, where condition: String = "1",
        _ values: [any StatementBinding] = [], sortedByID: Bool = false, limit: Int = -1
    ) throws {
        try self.init(
            db,
            """
            SELECT \(Self.columns(of: scope)) FROM \(Self.all(of: scope)) AND \(condition)
            ORDER BY p.\(sortedByID ? "id" : "number") LIMIT ?
            """, values + [limit])
    }

    private init(_ db: Database, _ sql: String, _ values: [any StatementBinding]) throws {
        self.db = db
        statement = try db.cachedStatement(sql: sql)
        sqlite3_reset(statement.sqliteStatement)
        for (index, value) in values.enumerated() {
            // SQLite would cut text at a NUL. Nothing equals null, so such text finds nothing.
            let hasNUL = (value as? String)?.utf8.contains(0) == true
            let bound: any StatementBinding = hasNUL ? DatabaseValue.null : value
            _ = bound.bind(to: statement.sqliteStatement, at: CInt(index + 1))
        }
    }

    deinit { sqlite3_reset(statement.sqliteStatement) }

    mutating func next() throws -> (number: Int64, product: Product)? {
        guard try statement.step(db) else { return nil }
        var product = Product(id: text(1) ?? "", name: text(2), unit: text(3))
        product.attributes = AttributesText.attributes(text(4))
        let codes = bytes(5)?.split(separator: 0) ?? []
        product.codes = codes.map { String(decoding: $0, as: UTF8.self) }
        (product.price, product.datedPrices) = prices(6)
        addOffer(to: &product)
        return (sqlite3_column_int64(statement.sqliteStatement, 0), product)
    }

    /// Applies the shop's own prices.
    ///
    /// If one has no validity period, only they apply. Otherwise, they take precedence over the prices for all shops.
    private func addOffer(to product: inout Product) {
        let (price, own) = prices(9)
        if price != nil { (product.price, product.datedPrices) = (price, own) }
        guard !own.isEmpty else { return }
        if price == nil { product.datedPrices = own + product.datedPrices }
        // An import would sort these prices by start; if that changes their order, their periods must not overlap.
        let dated = product.datedPrices
        if dated != dated.inOrder { product.datedPrices = dated.apart }
    }

    private func prices(_ column: CInt) -> (Price?, [DatedPrice]) {
        let dated = text(column + 2)?.split(separator: "\n").compactMap { DatedPrice(line: $0) }
        return (Price(canonical: text(column), text(column + 1)), dated ?? [])
    }

    private func text(_ column: CInt) -> String? {
        bytes(column).map { String(decoding: $0, as: UTF8.self) }
    }

    private func bytes(_ column: CInt) -> UnsafeBufferPointer<UInt8>? {
        sqlite3_column_text(statement.sqliteStatement, column).map {
            let count = sqlite3_column_bytes(statement.sqliteStatement, column)
            return UnsafeBufferPointer(start: $0, count: Int(count))
        }
    }

    /// Returns SQL for the products (`p`) with their offers for all shops (`o`); `AND` and a condition may follow.
    ///
    /// If `scope` is given, selects only products that this shop sells, and adds the shop's own offer (`s`).
    static func all(of scope: CatalogScope?) -> String {
        guard let scope else { return "main.product AS p \(offer("o", of: "")) WHERE 1" }
        return """
            main.product AS p \(offer("o", of: "")) \(offer("s", of: scope.name))
            WHERE coalesce(s.listed, o.listed, 0) = 1
            """
    }

    private static func offer(_ name: String, of scope: String) -> String {
        """
        LEFT JOIN offer AS \(name)
        ON \(name).product = p.number AND \(name).scope = '\(scope)' AND \(name).position = 0
        """
    }

    private static func columns(of scope: CatalogScope?) -> String {
        func prices(_ name: String, _ scope: String) -> String {
            let times = times(of: "offer", "product = p.number AND scope = '\(scope)'")
            return "\(name).price, \(name).currency, \(times)"
        }
        return """
            p.number, p.id, p.name, p.unit, p.attributes,
            \(codes(in: "code", "c.product = p.number")), \(prices("o", "")),
            \(scope.map { prices("s", $0.name) } ?? "NULL, NULL, NULL")
            """
    }

    /// Returns an SQL expression for the texts of the matching codes, separated by NUL.
    static func codes(in table: String, _ condition: String) -> String {
        """
        (SELECT group_concat(text, char(0)) FROM (
            SELECT c.text FROM \(table) AS c WHERE \(condition) GROUP BY c.position))
        """
    }

    /// Returns an SQL expression for the matching dated prices in order, one per line.
    static func times(of table: String, _ condition: String) -> String {
        """
        (SELECT group_concat(d.price || ' ' || d.currency || ' ' || ifnull(d.valid_from, '-')
                || ' ' || ifnull(d.valid_until, '-'), char(10))
            FROM \(table) AS d WHERE \(condition) AND position > 0)
        """
    }

    static func product(
        _ db: Database, where condition: String, _ value: (any StatementBinding)?
    ) throws -> Product? {
        var rows = try ProductRows(db, where: condition, [value ?? DatabaseValue.null])
        return try rows.next()?.product
    }

    // A single statement, so that a lookup sees one state of the catalog; sorting in SQL would take a sixth longer.
    private static func sharing(_ code: String) -> String {
        """
        SELECT \(columns(of: nil)) FROM (SELECT DISTINCT product FROM code WHERE \(code)) AS k
        CROSS JOIN product AS p ON p.number = k.product \(offer("o", of: ""))
        """
    }

    /// SQL that finds products by the key of a code.
    static let byKey = sharing("key = ?")
    static let byText = sharing("key = ? AND text = ?")
    static let byFoldedKey = sharing("key = ? COLLATE NOCASE AND \(CatalogSchema.hasLetters)")

    /// Finds up to `Match.candidateLimit` products with a code, sorted by id; nil if no product has the code.
    static func match(
        _ db: Database, _ sql: String, _ texts: [String], as key: Match.Key
    ) throws -> Match? {
        var rows = try ProductRows(db, sql, texts)
        var products: [Product] = []
        while let product = try rows.next()?.product {
            let id = product.id.utf8
            let place = products.firstIndex { id.lexicographicallyPrecedes($0.id.utf8) }
            products.insert(product, at: place ?? products.endIndex)
            if products.count > Match.candidateLimit { products.removeLast() }
        }
        guard let first = products.first else { return nil }
        return Match(key: key, product: first, others: Array(products.dropFirst()))
    }
}

/// Conversions between attributes and the JSON text in which a column stores them.
enum AttributesText {
    static func text(_ attributes: [String: String]) -> String? {
        guard !attributes.isEmpty else { return nil }
        return JSONWriter.text(of: .object(Product(id: "", attributes: attributes).jsonAttributes))
    }

    static func attributes(_ text: String?) -> [String: String] {
        guard let text, let json = try? JSONReader.read(text) else { return [:] }
        var attributes: [String: String] = [:]
        for member in json.object?.members ?? [] { attributes[member.key] = member.value.string }
        return attributes
    }
}

/// Functions that run statements without GRDB, which would be slower.
extension Statement {
    /// Runs the statement; returns the first row's first column, or nil if there is no row.
    @discardableResult
    func run<each Value: StatementBinding>(
        _ database: Database, _ values: repeat each Value
    ) throws -> Int64? {
        var index: CInt = 0
        for value in repeat each values {
            index += 1
            _ = value.bind(to: sqliteStatement, at: index)
        }
        defer { sqlite3_reset(sqliteStatement) }
        return try step(database) ? sqlite3_column_int64(sqliteStatement, 0) : nil
    }

    func step(_ database: Database) throws -> Bool {
        switch sqlite3_step(sqliteStatement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage,
                sql: sql)
        }
    }
}
