import GRDB
import Synchronization

/// What products are searched for: words, each of which must stand in the name or the id, or be one
/// of the codes.
///
/// Capital and small letters count as the same. A word that is a GTIN finds it in every spelling.
package struct ProductSearch: Hashable, Sendable {
    private let words: [String]

    /// Takes words.
    ///
    /// - Parameter text: The words, between white space; without any, every product is found.
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

/// Products of a catalog in the order of their import, and how to go on.
package struct ProductPage: Sendable {
    /// The catalog's revision when the page was read.
    package let revision: CatalogRevision
    /// The products.
    package let products: [Product]
    /// Where the next page begins; nil on the last one.
    package let next: Int64?
    /// How many products there are on all pages.
    package let total: Int
}

/// How many products were found by searches in revisions of a catalog; each shop has revisions of its
/// own.
///
/// Counting reads every product; the pages of one search need it only once.
package final class ProductCounts: Sendable {
    private struct Key: Hashable {
        let search: ProductSearch
        let revision: CatalogRevision
    }

    private let counts = Mutex<[Key: Int]>([:])
    private let capacity: Int

    /// Makes an empty memory.
    ///
    /// - Parameter capacity: How many counts are remembered; for the next, any of them goes.
    package init(capacity: Int = 1024) {
        self.capacity = capacity
    }

    /// The number that was counted, or that is counted now.
    func count(
        of search: ProductSearch, in revision: CatalogRevision, _ count: () throws -> Int
    ) rethrows -> Int {
        let key = Key(search: search, revision: revision)
        if let known = counts.withLock({ $0[key] }) { return known }
        let new = try count()
        counts.withLock { counts in
            if counts.count >= capacity { counts.remove(at: counts.startIndex) }
            counts[key] = new
        }
        return new
    }
}
