import GRDB

extension EmbeddedCatalog {
    /// A code of a product, to try another catalog with: a GTIN where there is one.
    ///
    /// - Returns: The code as written; nil where no product has one.
    /// - Throws: `CatalogError`.
    public func sampleCode() throws -> String? {
        try read { db in
            // A GTIN's key is its 14 digits; the index of keys finds one at once.
            try String.fetchOne(
                db,
                sql: """
                    SELECT text FROM code WHERE key >= '00000000000001' AND key < ':'
                        AND length(key) = 14 AND key NOT GLOB '*[^0-9]*' LIMIT 1
                    """)
                ?? String.fetchOne(db, sql: "SELECT text FROM code LIMIT 1")
        }
    }
}
