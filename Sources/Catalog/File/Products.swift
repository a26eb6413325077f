import GRDB

extension CatalogFile {
    /// How much a page may hold, in bytes of text, unless one product alone is larger.
    private static let pageSize = 4 << 20

    /// Reads products in the order of their import, a page at a time.
    package func products(
        matching search: ProductSearch = ProductSearch(""), after cursor: Int64? = nil, limit: Int
    ) throws -> ProductPage {
        try readAtOnce { db in
            let (condition, texts) = search.condition
            var page = ProductPage()
            var (last, size): (Int64?, Int) = (nil, 0)
            let values = texts as [any StatementBinding] + [cursor ?? 0]
            try ProductRows.read(
                db, where: "\(condition) AND p.number > ?", values, limit: limit + 1
            ) { found in
                guard page.products.count < limit, size <= Self.pageSize else {
                    page.next = last
                    return false
                }
                page.products.append(found.product)
                let product = found.product
                let texts = product.codes + product.attributes.values + [product.name ?? ""]
                size += texts.reduce(64) { $0 + $1.utf8.count }
                last = found.number
                return true
            }
            let count = "SELECT count(*) FROM product AS p WHERE \(condition)"
            page.total =
                try Int.fetchOne(db, sql: count, arguments: StatementArguments(texts)) ?? 0
            return page
        }
    }

    /// Codes of two products, to try another catalog with: GTINs if there are any.
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

/// Products of a catalog in the order of their import.
package struct ProductPage: Sendable {
    /// The products.
    package fileprivate(set) var products: [Product] = []
    /// Where the next page begins; nil on the last one.
    package fileprivate(set) var next: Int64?
    /// How many products there are on all pages.
    package fileprivate(set) var total = 0
}

/// What products are searched for: words, each of which must stand in the name or the id, or be one
/// of the codes.
///
/// Capital and small letters count as the same. A word that is a GTIN finds it in every spelling.
package struct ProductSearch: Hashable, Sendable {
    private let words: [String]

    /// Splits a text at its white space.
    package init(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// A condition on rows of `product AS p`, with the values of its parameters.
    var condition: (sql: String, values: [String]) {
        let condition = """
            (p.name GLOB ? OR p.id GLOB ? OR p.number IN (
                SELECT product FROM code WHERE key IN (?, ?)))
            """
        // SQLite ends a text at a NUL; no product has one.
        guard !words.contains(where: { $0.utf8.contains(0) }) else { return ("0", []) }
        let values = words.flatMap { word in
            let (pattern, keys) = (Self.pattern(of: word), CodeKeys(word))
            return [pattern, pattern, keys.first, keys.others.last ?? keys.first]
        }
        return ((["1"] + words.map { _ in condition }).joined(separator: " AND "), values)
    }

    /// A pattern for texts that have the word in them, in capital or small letters.
    ///
    /// SQLite's own LIKE folds the letters of ASCII alone. A class of one character is that
    /// character, whatever else it means in a pattern.
    private static func pattern(of word: String) -> String {
        var pattern = "*"
        for scalar in word.unicodeScalars {
            var forms = [scalar]
            for form in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
                let scalars = form.unicodeScalars
                guard scalars.count == 1, let only = scalars.first else { continue }
                if !forms.contains(only) { forms.append(only) }
            }
            // In front of a class, `^` would turn it round; outside one it means itself.
            pattern += scalar == "^" ? "^" : "[" + forms.map { String($0) }.joined() + "]"
        }
        return pattern + "*"
    }
}
