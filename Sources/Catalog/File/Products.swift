import GRDB

extension CatalogFile {
    /// The size in bytes beyond which a page ends, even if it has fewer products than the limit.
    private static let pageSize = 4 << 20

    /// Reads a page of products in import order.
    ///
    /// Each word of `search` must be a code of the product, or occur in its name or id, ignoring case.
    package func products(
        matching search: String = "", after cursor: Int64? = nil, limit: Int
    ) throws -> ProductPage {
        try readAtOnce { db in
            let (condition, texts) = Self.condition(search)
            var page = ProductPage()
            var (last, size): (Int64?, Int) = (nil, 0)
            var rows = try ProductRows(
                db, where: "\(condition) AND p.number > ?", texts + [cursor ?? 0], limit: limit + 1)
            while let (number, product) = try rows.next() {
                guard page.products.count < limit, size <= Self.pageSize else {
                    page.next = last
                    break
                }
                page.products.append(product)
                let texts = product.codes + product.attributes.values + [product.name ?? ""]
                size += texts.reduce(64) { $0 + $1.utf8.count }
                last = number
            }
            let count = "SELECT count(*) FROM product AS p WHERE \(condition)"
            page.total = try Int.fetchOne(db, sql: count, arguments: StatementArguments(texts)) ?? 0
            return page
        }
    }

    private static func condition(_ search: String) -> (sql: String, values: [String]) {
        let condition = """
            (p.name GLOB ? OR p.id GLOB ? OR p.number IN (
                SELECT product FROM code WHERE key IN (?, ?)))
            """
        // SQLite ends text at a NUL; no product contains one.
        guard !search.utf8.contains(0) else { return ("0", []) }
        let words = search.split(whereSeparator: \.isWhitespace).map(String.init)
        let values = words.flatMap { word in
            let (pattern, keys) = (pattern(of: word), CodeKeys(word))
            return [pattern, pattern, keys.first, keys.others.last ?? keys.first]
        }
        return ((["1"] + words.map { _ in condition }).joined(separator: " AND "), values)
    }

    /// Returns a GLOB pattern that matches texts containing the word, ignoring case.
    ///
    /// LIKE ignores case only for ASCII. In a class such as `[aA]`, the characters `*` and `?` stand for themselves.
    private static func pattern(of word: String) -> String {
        var pattern = "*"
        for scalar in word.unicodeScalars {
            let (small, capital) = (
                scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping
            )
            let forms = Set(
                [String(scalar), small, capital].filter { $0.unicodeScalars.count == 1 })
            // At the start of a class, `^` would negate it; outside a class it is an ordinary character.
            pattern += scalar == "^" ? "^" : "[" + forms.joined() + "]"
        }
        return pattern + "*"
    }

    /// Returns up to two codes of different products, preferably GTINs, for testing another catalog.
    package func sampleCodes() throws -> [String] {
        let gtin = "length(key) = 14 AND key NOT GLOB '*[^0-9]*'"
        return try read { db in
            // The index of keys finds GTINs quickly.
            for condition in ["key >= '00000000000001' AND key < ':' AND \(gtin)", "1"] {
                let sql = """
                    SELECT text, min(position) FROM (SELECT * FROM code WHERE \(condition) LIMIT 16)
                    GROUP BY product LIMIT 2
                    """
                let codes = try String.fetchAll(db, sql: sql)
                if !codes.isEmpty { return codes }
            }
            return []
        }
    }
}

package struct ProductPage: Sendable {
    package fileprivate(set) var products: [Product] = []
    /// The `cursor` to pass for the next page; nil on the last page.
    package fileprivate(set) var next: Int64?
    package fileprivate(set) var total = 0
}
