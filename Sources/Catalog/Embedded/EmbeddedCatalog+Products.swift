import GRDB

extension EmbeddedCatalog {
    /// Reads products in the order of their import, a page at a time.
    ///
    /// - Parameters:
    ///   - search: Which products.
    ///   - cursor: Where the page begins: what the page before says is next; nil for the first.
    ///   - limit: How many products the page has at the most; at least 1.
    /// - Returns: The page.
    /// - Throws: `CatalogError`.
    package func products(
        matching search: ProductSearch = ProductSearch(""), after cursor: Int64? = nil, limit: Int
    ) throws -> ProductPage {
        try readAtOnce { db in
            let (condition, arguments) = search.condition
            let found = try ProductRows.list(
                db, "WHERE \(condition) AND p.number > ?", arguments: arguments + [cursor ?? 0],
                limit: limit)
            let count = "SELECT count(*) FROM product AS p WHERE \(condition)"
            return ProductPage(
                products: found.products.map(\.product),
                next: found.isCut ? found.products.last?.number : nil,
                total: try Int.fetchOne(db, sql: count, arguments: arguments) ?? 0)
        }
    }

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

/// Products of a catalog in the order of their import, and how to go on.
package struct ProductPage: Sendable {
    /// The products.
    package let products: [Product]
    /// Where the next page begins; nil on the last one.
    package let next: Int64?
    /// How many products there are on all pages.
    package let total: Int
}
