/// A layout that the XKB registry lists.
public struct KeyLayoutEntry: Hashable, Sendable {
    /// Its name.
    public let layout: KeyLayout
    /// What people call it, for instance `German (no dead keys)`.
    public let title: String
    /// The languages it is for, by their ISO 639 codes, for instance `deu`.
    public let languages: [String]
    /// The countries it is for, by their ISO 3166 codes, for instance `DE`.
    public let countries: [String]
    /// Whether few people use it: the registry keeps such layouts in a file of their own.
    public let isExotic: Bool

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - layout: Its name.
    ///   - title: What people call it.
    ///   - languages: The languages it is for.
    ///   - countries: The countries it is for.
    ///   - isExotic: Whether few people use it.
    public init(
        layout: KeyLayout, title: String, languages: [String] = [], countries: [String] = [],
        isExotic: Bool = false
    ) {
        self.layout = layout
        self.title = title
        self.languages = languages
        self.countries = countries
        self.isExotic = isExotic
    }

    /// Whether every word of `search` is in the name, the title, or is one of the codes.
    ///
    /// - Parameter search: Words with spaces between; case does not count. None finds everything.
    /// - Returns: Whether it is found.
    public func matches(_ search: String) -> Bool {
        let codes = (languages + countries).map { $0.lowercased() }
        let text = "\(layout) \(title)".lowercased()
        return search.lowercased().split(separator: " ").allSatisfy { word in
            codes.contains(String(word)) || Self.contains(text.utf8, word.utf8)
        }
    }

    private static func contains(_ text: String.UTF8View, _ word: Substring.UTF8View) -> Bool {
        text.indices.contains { text[$0...].starts(with: word) }
    }
}
