import GRDB

extension EmbeddedCatalog {
    /// Codes of two products, to try another catalog with: GTINs where there are any.
    ///
    /// - Returns: The codes as written, one of each product; fewer where there are not two.
    /// - Throws: `CatalogError`.
    package func sampleCodes() throws -> [String] {
        try read { db in
            // A GTIN's key is its 14 digits; the index of keys finds some at once.
            let numbers = try Row.fetchAll(
                db,
                sql: """
                    SELECT product, text FROM code WHERE key >= '00000000000001' AND key < ':'
                        AND length(key) = 14 AND key NOT GLOB '*[^0-9]*' LIMIT 16
                    """)
            let rows =
                try numbers.isEmpty
                ? Row.fetchAll(db, sql: "SELECT product, text FROM code LIMIT 16") : numbers
            var products: Set<Int64> = []
            return rows.filter { products.insert($0[0]).inserted }.prefix(2).map { $0[1] }
        }
    }
}
