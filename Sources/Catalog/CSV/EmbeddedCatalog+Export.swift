import GRDB

extension EmbeddedCatalog {
    /// Writes the catalog as a CSV file that imports to the same catalog.
    ///
    /// The columns are `id`, `code` (several separated by bars), `name`, `price`, `currency`,
    /// `unit`, and one for each attribute, sorted by name. Rows are in the order of their import.
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
                csv.add(CatalogField.allCases.map(\.rawValue) + headers)
                try ProductRows.forEach(db) { product in
                    csv.add(Self.fields(of: product, attributes: attributes))
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

    private static func fields(of product: Product, attributes: [String]) -> [String] {
        let fields = CatalogField.allCases.map { field in
            switch field {
            case .id: product.id
            case .code: CodeField.field(of: product.codes)
            case .name: product.name ?? ""
            case .price: product.price?.importableAmount ?? ""
            case .currency: product.price?.currency.code ?? ""
            case .unit: product.unit ?? ""
            }
        }
        return fields + attributes.map { product.attributes[$0] ?? "" }
    }
}
