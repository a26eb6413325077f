import GRDB

extension EmbeddedCatalog {
    /// Reads products in the order of their import, a page at a time.
    ///
    /// - Parameters:
    ///   - search: Which products.
    ///   - cursor: Where the page begins: what the page before says is next; nil for the first.
    ///   - limit: How many products the page has at the most; at least 1.
    ///   - counts: Remembers how many there are in all.
    /// - Returns: The page.
    /// - Throws: `CatalogError`; `.untracked` for the file of an older keywedge.
    package func products(
        matching search: ProductSearch = ProductSearch(""), after cursor: Int64? = nil,
        limit: Int, counts: ProductCounts = ProductCounts()
    ) throws -> ProductPage {
        try readAtOnce { db in
            let revision = try RevisionLog.current(db, path: path)
            let (condition, arguments) = search.condition
            let total = try counts.count(of: search, in: revision) {
                let sql = "SELECT count(*) FROM product AS p WHERE \(condition)"
                return try Int.fetchOne(
                    try db.cachedStatement(sql: search.isEmpty ? Self.countAll : sql),
                    arguments: arguments) ?? 0
            }
            var size = 0
            let found = try ProductRows.list(
                db, "WHERE \(condition) AND p.number > ?", arguments: arguments + [cursor ?? 0],
                limit: limit, size: &size)
            return ProductPage(
                revision: revision, products: found.products.map(\.product),
                next: found.isCut ? found.products.last?.number : nil, total: total)
        }
    }

    // Without a condition SQLite counts in the smallest index.
    private static let countAll = "SELECT count(*) FROM product"

    /// Reads one state of the catalog with several statements.
    func readAtOnce<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try read { db in
            try db.beginTransaction(.deferred)
            let result = Result { try body(db) }
            try db.commit()
            return try result.get()
        }
    }
}

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
