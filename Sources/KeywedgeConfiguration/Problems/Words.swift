enum Words {
    /// Joins words as `a, b or c`.
    static func either(_ words: [String]) -> String { joined(words, "or") }

    /// Joins words as `a, b and c`.
    static func all(_ words: [String]) -> String { joined(words, "and") }

    private static func joined(_ words: [String], _ last: String) -> String {
        guard let end = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(last) " + end
    }
}
