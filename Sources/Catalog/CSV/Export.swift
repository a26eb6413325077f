import GRDB
import WireText

extension CatalogFile {
    /// Writes the catalog as a CSV file that an import can read back, and returns the number of products.
    ///
    /// The file has time columns only if some prices are dated, and a scope column only if shops have their own offers.
    /// Products are in import order, each followed by rows for its dated prices and for shops' offers. If `scope` is
    /// given, the file contains only the products that this shop sells, at its prices.
    @discardableResult
    package func exportCSV(
        in scope: CatalogScope? = nil, _ write: ([UInt8]) throws -> Void
    ) throws -> Int {
        try readAtOnce(tries: 1) { db in
            try checkScope(scope, db)
            let table = ExportTable(
                fields: try fields(db, scope), attributes: try attributeNames(db, scope))
            var csv = ExportTable.line(table.header)
            var count = 0
            var products = try ProductRows(db, in: scope)
            while let product = try products.next() {
                for row in try table.rows(of: product.product, number: product.number, db) {
                    csv += ExportTable.line(row)
                }
                count += 1
                if csv.count >= 1 << 16 {
                    try write(csv)
                    csv.removeAll(keepingCapacity: true)
                }
            }
            try write(csv)
            return count
        }
    }

    /// Calls `body` for each product in one snapshot of the catalog, in the byte order of the ids; if `scope` is given,
    /// it calls `body` only for the products that this shop sells, with this shop's prices.
    package func forEachProduct(
        in scope: CatalogScope? = nil, _ body: (Product) throws -> Void
    ) throws {
        try readAtOnce(tries: 1) { db in
            try checkScope(scope, db)
            var rows = try ProductRows(db, in: scope, sortedByID: true)
            while let row = try rows.next() { try body(row.product) }
        }
    }

    private func checkScope(_ scope: CatalogScope?, _ db: Database) throws {
        guard let scope, try !has("offer WHERE scope = '\(scope)' AND scope <> ''", db) else {
            return
        }
        throw CatalogError.unknownScope(path: path, scope: scope.name)
    }

    private func has(_ condition: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(condition))") ?? false
    }

    private func fields(_ db: Database, _ scope: CatalogScope?) throws -> [CatalogField] {
        var fields: [CatalogField] = [.id, .code, .name, .price, .currency, .unit]
        // A shop has its own dated prices, and also the common ones unless it has its own price.
        let times =
            scope.map { scope in
                """
                \(ProductRows.all(of: scope)) AND EXISTS (
                    SELECT 1 FROM offer AS d WHERE d.product = p.number AND d.position > 0
                        AND (d.scope = '\(scope)' OR d.scope = '' AND s.price IS NULL))
                """
            } ?? "offer WHERE position > 0"
        if try has(times, db) { fields += [.validFrom, .validUntil] }
        guard scope == nil else { return fields }
        let hasOffers = try has("offer WHERE scope <> ''", db)
        if hasOffers { fields.append(.scope) }
        if try hasOffers || has("offer WHERE listed = 0", db) { fields.append(.listed) }
        return fields
    }

    private func attributeNames(_ db: Database, _ scope: CatalogScope?) throws -> [String] {
        let sql = """
            SELECT DISTINCT a.key FROM (SELECT p.attributes FROM \(ProductRows.all(of: scope))) AS p,
                json_each(p.attributes) AS a
            """
        return try String.fetchAll(db, sql: sql).sorted {
            $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars)
        }
    }
}

private struct ExportTable {
    typealias Cells = [CatalogField: String]

    let fields: [CatalogField]
    let attributes: [String]

    var header: [String] {
        fields.map(\.rawValue) + attributes.map(ColumnMap.header(forAttribute:))
    }

    /// Returns the rows of a product: its own row, then one for each dated price and each shop's offer.
    ///
    /// A product that only certain shops sell has no row of its own; the first shop's row also describes the product.
    func rows(of product: Product, number: Int64, _ db: Database) throws -> [[String]] {
        // Without the column `listed`, a file cannot say that only some shops, or none, sell a product.
        var offers = fields.contains(.listed) ? try Self.offers(of: number, db) : []
        if offers.isEmpty {
            offers = [Self.cells(of: product.price).merging([.listed: "no"]) { $1 }]
            offers += product.datedPrices.map {
                Self.cells(of: $0.price, from: $0.from, until: $0.until)
            }
        }
        var own: Cells = [.code: CodeField.field(of: product.codes)]
        (own[.name], own[.unit]) = (product.name, product.unit)
        return offers.enumerated().map { index, offer in
            let isFirst = index == 0
            let cells = isFirst ? own.merging(offer) { $1 } : offer
            return fields.map { $0 == .id ? product.id : cells[$0] ?? "" }
                + attributes.map { isFirst ? product.attributes[$0] ?? "" : "" }
        }
    }

    private static func offers(of product: Int64, _ db: Database) throws -> [Cells] {
        let sql = """
            SELECT scope, listed, price, currency, valid_from, valid_until
            FROM offer WHERE product = ? ORDER BY scope, position
            """
        return try Row.fetchAll(try db.cachedStatement(sql: sql), arguments: [product]).map { row in
            var cells = Self.cells(
                of: Price(canonical: row[2], row[3]), from: row[4], until: row[5])
            cells[.scope] = row[0]
            cells[.listed] = (row[1] as Bool?).map { $0 ? "yes" : "no" }
            return cells
        }
    }

    private static func cells(of price: Price?, from: Int64? = nil, until: Int64? = nil) -> Cells {
        var cells: Cells = [:]
        (cells[.price], cells[.currency]) = (price?.importableAmount, price?.currency.code)
        (cells[.validFrom], cells[.validUntil]) = (from.map(RFC3339.text), until.map(RFC3339.text))
        return cells
    }

    /// Formats a row as CSV (RFC 4180), with quotation marks only around fields that need them.
    static func line(_ fields: [String]) -> [UInt8] {
        let quote = CSVScanner.quote
        let cells = fields.map { field -> [UInt8] in
            // An unquoted semicolon or tab could be mistaken for the delimiter.
            guard field.utf8.contains(where: special.contains) else { return Array(field.utf8) }
            let parts = field.utf8.split(separator: quote, omittingEmptySubsequences: false)
            return [quote] + parts.joined(separator: [quote, quote]) + [quote]
        }
        return Array(cells.joined(separator: ",".utf8)) + "\n".utf8
    }

    private static let special = Array("\",;\t\r\n".utf8)
}
