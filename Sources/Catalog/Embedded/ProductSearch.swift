import GRDB

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
