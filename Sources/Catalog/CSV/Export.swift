import GRDB
import WireText

extension CatalogFile {
    /// Writes the catalog as a CSV file that imports to the same catalog, and returns the number of products.
    ///
    /// The columns are `id`, `code` (several separated by bars), `name`, `price`, `currency`,
    /// `unit`, `valid_from` and `valid_until` if a price holds for a time, `scope` and `listed` if
    /// shops have offers of their own, and one for each attribute, sorted by name. Rows are in the
    /// order of their import; a price for a time has a row of its own after its product's, and so has
    /// each shop's offer. A shop's export has only the products it sells, at its prices.
    @discardableResult
    package func exportCSV(
        in scope: CatalogScope? = nil, _ write: ([UInt8]) throws -> Void
    ) throws -> Int {
        try readAtOnce(tries: 1) { db in
            try checkScope(scope, db)
            let table = ExportTable(
                fields: try fields(db, scope), attributes: try attributeNames(db, scope))
            var csv = CSVWriter()
            csv.add(table.header)
            var count = 0
            try ProductRows.forEach(db, in: scope, by: .number) { product in
                let offers = table.hasOffers ? try Offer.all(of: product.number, db) : []
                for row in table.rows(of: product.product, offers) { csv.add(row) }
                count += 1
                if csv.bytes.count >= 1 << 16 { try write(csv.take()) }
            }
            try write(csv.take())
            return count
        }
    }

    /// Reads all products with the common prices, or a shop's products at its prices, sorted by id (byte order),
    /// in one state of the catalog.
    package func forEachProduct(
        in scope: CatalogScope? = nil, _ body: (Product) throws -> Void
    ) throws {
        try readAtOnce(tries: 1) { db in
            try checkScope(scope, db)
            try ProductRows.forEach(db, in: scope, by: .id) { try body($0.product) }
        }
    }

    /// Makes sure that a row has named a shop.
    private func checkScope(_ scope: CatalogScope?, _ db: Database) throws {
        guard let scope, try !has("offer WHERE scope = '\(scope)' AND scope <> ''", db) else {
            return
        }
        throw CatalogError.unknownScope(path: path, scope: scope.name)
    }

    private func has(_ condition: String, _ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(condition))") ?? false
    }

    /// The joins to the usual offer and a shop's own.
    private func offers(of scope: CatalogScope) -> String {
        "\(ProductRows.usualOffer) \(ProductRows.ofShop(named: "'\(scope)'"))"
    }

    private func fields(_ db: Database, _ scope: CatalogScope?) throws -> [CatalogField] {
        var fields: [CatalogField] = [.id, .code, .name, .price, .currency, .unit]
        let times =
            scope.map { scope in
                """
                product AS p \(offers(of: scope))
                JOIN offer AS d ON d.product = p.number AND d.position > 0
                    AND (d.scope = '\(scope)' OR d.scope = '' AND s.price IS NULL)
                WHERE \(ProductRows.isListed)
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
        let ofShop = scope.map { "\(offers(of: $0)) WHERE \(ProductRows.isListed)" } ?? ""
        let sql = """
            SELECT DISTINCT a.key FROM (SELECT p.attributes FROM product AS p \(ofShop)) AS p,
                json_each(p.attributes) AS a
            """
        return try String.fetchAll(db, sql: sql).sorted {
            $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars)
        }
    }
}

/// Whether all shops have a product, or a shop's own listing and prices, which replace the common ones.
private struct Offer {
    /// The shop; empty for all of them.
    let scope: String
    /// Nil for a price for a time.
    let isListed: Bool?
    let price: Price?
    let dated: DatedPrice?

    static func all(of product: Int64, _ db: Database) throws -> [Offer] {
        let sql = """
            SELECT scope, listed, price, currency, valid_from, valid_until
            FROM offer WHERE product = ? AND (scope <> '' OR position = 0) ORDER BY scope, position
            """
        return try Row.fetchAll(try db.cachedStatement(sql: sql), arguments: [product]).map { row in
            let currency = (row[3] as String?).flatMap { Currency($0) }
            let price = currency.flatMap { currency in
                (row[2] as String?).map { Price(canonical: $0, currency: currency) }
            }
            let dated = price.flatMap { DatedPrice($0, from: row[4], until: row[5]) }
            return Offer(scope: row[0], isListed: row[1], price: price, dated: dated)
        }
    }
}

/// The rows of an export.
private struct ExportTable {
    let fields: [CatalogField]
    let attributes: [String]

    var header: [String] {
        fields.map(\.rawValue) + attributes.map(ColumnMap.header(forAttribute:))
    }

    /// Whether a product may be listed in some shops only.
    var hasOffers: Bool { fields.contains(.listed) }

    /// The rows of a product: its own, those of its prices for a time, and those of each shop.
    ///
    /// A product that only shops name, without a common price, has no row of its own: the first shop's row
    /// describes it.
    func rows(of product: Product, _ offers: [Offer]) -> [[String]] {
        let common = offers.first { $0.scope.isEmpty }
        let isShopsOwn =
            common?.isListed == nil && !offers.isEmpty && product.price == nil
            && product.datedPrices.isEmpty
        let bare = Product(id: product.id)
        var rows: [[String]] = []
        if !isShopsOwn {
            rows.append(row(product, listed: common?.isListed ?? false))
            rows += product.datedPrices.map { row(bare, dated: $0) }
        }
        for offer in offers where !offer.scope.isEmpty {
            var offered = rows.isEmpty ? product : bare
            offered.price = offer.price
            rows.append(
                offer.dated.map { row(bare, dated: $0, in: offer.scope) }
                    ?? row(offered, in: offer.scope, listed: offer.isListed))
        }
        return rows
    }

    /// The row of a product, of a shop's offer of it, or of a price for a time.
    private func row(
        _ product: Product, dated: DatedPrice? = nil, in scope: String = "", listed: Bool? = nil
    ) -> [String] {
        let price = dated?.price ?? product.price
        let values = fields.map { field in
            switch field {
            case .id: product.id
            case .code: product.codes.isEmpty ? "" : CodeField.field(of: product.codes)
            case .name: product.name ?? ""
            case .price: price?.importableAmount ?? ""
            case .currency: price?.currency.code ?? ""
            case .unit: product.unit ?? ""
            case .validFrom: dated?.from.map(RFC3339.text) ?? ""
            case .validUntil: dated?.until.map(RFC3339.text) ?? ""
            case .scope: scope
            case .listed: listed.map { $0 ? "yes" : "no" } ?? ""
            default: ""
            }
        }
        return values + attributes.map { product.attributes[$0] ?? "" }
    }
}
