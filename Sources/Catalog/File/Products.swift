import GRDB

extension CatalogFile {
    /// Reads products in the order of their import, a page at a time.
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

/// What products are searched for: words, each of which must stand in the name or the id, or be one
/// of the codes.
///
/// Capital and small letters count as the same. A word that is a GTIN finds it in every spelling.
package struct ProductSearch: Hashable, Sendable {
    private let words: [String]

    /// Takes words.
    package init(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Whether every product is found.
    package var isEmpty: Bool { words.isEmpty }

    /// A condition on rows of `product AS p`, with the values of its parameters.
    var condition: (sql: String, arguments: StatementArguments) {
        var arguments = StatementArguments()
        for word in words {
            let (pattern, keys) = (Self.pattern(of: word), CodeKeys(word))
            arguments += [pattern, pattern, keys.first, keys.others.last ?? keys.first]
        }
        let sql = words.map { word in
            // SQLite ends a pattern at a NUL; no product has one.
            word.utf8.contains(0) ? "(0 AND \(Self.condition))" : Self.condition
        }.joined(separator: " AND ")
        return (sql.isEmpty ? "1" : sql, arguments)
    }

    private static let condition = """
        (p.name GLOB ? OR p.id GLOB ? OR p.number IN (
            SELECT product FROM code WHERE key IN (?, ?)))
        """

    /// A pattern for texts that have the word in them, in capital or small letters.
    ///
    /// SQLite's own LIKE folds the letters of ASCII alone. A class of one character is that
    /// character, whatever else it means in a pattern.
    static func pattern(of word: String) -> String {
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
