import GRDB
import WireText

extension EmbeddedCatalog {
    /// Writes the catalog as a CSV file that imports to the same catalog.
    ///
    /// The columns are `id`, `code` (several separated by bars), `name`, `price`, `currency`,
    /// `unit`, `valid_from` and `valid_until` where a price holds for a time, `scope` and `listed` where
    /// shops have something of their own, and one for each attribute, sorted by name. Rows are in the
    /// order of their import; a price for a time has one of its own behind its product's, and so has
    /// what a shop has.
    ///
    /// - Parameter write: Takes the next piece of the file, UTF-8.
    /// - Returns: The number of products.
    /// - Throws: `CatalogError`, and what `write` throws.
    @discardableResult
    package func exportCSV(_ write: ([UInt8]) throws -> Void) throws -> Int {
        try read(tries: 1) { db in
            var count = 0
            try db.inTransaction(.deferred) {
                let hasShops = try scope == nil && CatalogSchema.hasScopes(db)
                let table = ExportTable(
                    fields: try fields(db, hasShops), attributes: try attributeNames(db))
                var csv = CSVWriter()
                csv.add(table.header)
                var offers = hasShops ? try ExportedOffers(db) : nil
                try ProductRows.forEach(db) { product in
                    let shops = try offers?.next(of: product.number)
                    for row in table.rows(of: product.product, shops) { csv.add(row) }
                    count += 1
                    if csv.bytes.count >= 1 << 16 { try write(csv.take()) }
                }
                try write(csv.take())
                return .commit
            }
            return count
        }
    }

    private func fields(_ db: Database, _ hasShops: Bool) throws -> [CatalogField] {
        func has(_ condition: String) throws -> Bool {
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(condition))") ?? false
        }
        var fields = CatalogField.always
        if try has("product WHERE dated_prices IS NOT NULL")
            || hasShops && has("offer WHERE dated_prices IS NOT NULL")
        {
            fields += [.validFrom, .validUntil]
        }
        guard hasShops else { return fields }
        let hasOffers = try has("offer WHERE listed IS NOT NULL")
        if hasOffers { fields.append(.scope) }
        if try hasOffers || has("product WHERE listed IS NOT 1") { fields.append(.listed) }
        return fields
    }

    private func attributeNames(_ db: Database) throws -> [String] {
        let sql = "SELECT DISTINCT a.key FROM product, json_each(product.attributes) AS a"
        return try String.fetchAll(db, sql: sql).sorted {
            $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars)
        }
    }
}

/// What shops have of one product.
struct ShopsOfProduct {
    /// Whether every shop has it; nil where only rows of shops name it.
    var isListed: Bool?
    var offers: [(scope: String, offer: Offer)] = []
}

/// Goes through the offers in the order of their products.
struct ExportedOffers {
    private let cursor: RowCursor
    private var waiting: Row?
    private let unlisted: [Int64: Bool?]

    init(_ db: Database) throws {
        var unlisted: [Int64: Bool?] = [:]
        for row in try Row.fetchAll(
            db, sql: "SELECT number, listed FROM product WHERE listed IS NOT 1")
        {
            unlisted[row[0]] = .some(row[1] as Bool?)
        }
        self.unlisted = unlisted
        let sql = """
            SELECT o.price, o.currency, o.dated_prices, o.listed, o.product, s.name
            FROM offer AS o JOIN scope AS s ON s.number = o.scope
            WHERE o.listed IS NOT NULL ORDER BY o.product, o.scope
            """
        cursor = try Row.fetchCursor(db, sql: sql)
        waiting = try cursor.next()?.copy()
    }

    /// What shops have of a product; products come in the order of their numbers.
    mutating func next(of product: Int64) throws -> ShopsOfProduct {
        var shops = ShopsOfProduct(isListed: unlisted[product] ?? true)
        while let row = waiting, (row[4] as Int64) <= product {
            if row[4] == product { shops.offers.append((row[5], OfferTable.offer(row))) }
            waiting = try cursor.next()?.copy()
        }
        return shops
    }
}
