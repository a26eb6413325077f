import GRDB
import WireText

extension EmbeddedCatalog {
    /// Writes the catalog as a CSV file that imports to the same catalog.
    ///
    /// The columns are `id`, `code` (several separated by bars), `name`, `price`, `currency`,
    /// `unit`, `valid_from` and `valid_until` where a price holds for a time, and one for each
    /// attribute, sorted by name. Rows are in the order of their import; a price for a time has one of
    /// its own behind its product's.
    ///
    /// - Parameter write: Takes the next piece of the file, UTF-8.
    /// - Returns: The number of products.
    /// - Throws: `CatalogError`, and what `write` throws.
    @discardableResult
    package func exportCSV(_ write: ([UInt8]) throws -> Void) throws -> Int {
        try read(tries: 1) { db in
            var count = 0
            try db.inTransaction(.deferred) {
                let attributes = try attributeNames(db)
                var csv = CSVWriter()
                let headers = attributes.map(ColumnMap.header(forAttribute:))
                let hasDated =
                    "SELECT EXISTS (SELECT 1 FROM product WHERE dated_prices IS NOT NULL)"
                let fields =
                    CatalogField.always
                    + (try Bool.fetchOne(db, sql: hasDated) == true
                        ? [.validFrom, .validUntil] : [])
                csv.add(fields.map(\.rawValue) + headers)
                try ProductRows.forEach(db) { product in
                    csv.add(Self.fields(fields, of: product, attributes: attributes))
                    for dated in product.datedPrices {
                        csv.add(Self.fields(fields, of: dated, of: product, attributes.count))
                    }
                    count += 1
                    if csv.bytes.count >= 1 << 16 { try write(csv.take()) }
                }
                try write(csv.take())
                return .commit
            }
            return count
        }
    }

    private func attributeNames(_ db: Database) throws -> [String] {
        let sql = "SELECT DISTINCT a.key FROM product, json_each(product.attributes) AS a"
        return try String.fetchAll(db, sql: sql).sorted {
            $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars)
        }
    }

    /// A price for a time, in a row of its own behind that of its product.
    private static func fields(
        _ fields: [CatalogField], of dated: DatedPrice, of product: Product, _ attributes: Int
    ) -> [String] {
        fields.map { field in
            switch field {
            case .id: product.id
            case .price: dated.price.importableAmount
            case .currency: dated.price.currency.code
            case .validFrom: dated.from.map(RFC3339.text) ?? ""
            case .validUntil: dated.until.map(RFC3339.text) ?? ""
            default: ""
            }
        } + [String](repeating: "", count: attributes)
    }

    private static func fields(
        _ fields: [CatalogField], of product: Product, attributes: [String]
    ) -> [String] {
        let fields = fields.map { field in
            switch field {
            case .id: product.id
            case .code: CodeField.field(of: product.codes)
            case .name: product.name ?? ""
            case .price: product.price?.importableAmount ?? ""
            case .currency: product.price?.currency.code ?? ""
            case .unit: product.unit ?? ""
            default: ""
            }
        }
        return fields + attributes.map { product.attributes[$0] ?? "" }
    }
}
