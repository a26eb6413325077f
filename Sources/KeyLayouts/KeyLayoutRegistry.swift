/// The layouts and variants that the installed XKB knows.
package struct KeyLayoutRegistry: Sendable {
    /// What is listed, layouts in the order of their names, each followed by its variants.
    package let entries: [KeyLayoutEntry]

    package init(entries: [KeyLayoutEntry]) {
        self.entries = entries
    }

    /// Reads the registry of this box, exotic layouts included.
    ///
    /// `custom` is left out: it stands for a layout that the box's owner writes, and where it is
    /// not written there is none.
    ///
    /// - Returns: The registry.
    /// - Throws: ``KeyLayoutError/noKeyboardData``.
    package static func installed() throws(KeyLayoutError) -> KeyLayoutRegistry {
        guard let reader = RegistryReader() else { throw .noKeyboardData }
        // A few variants are listed twice.
        let all = Dictionary(reader.entries().map { ($0.layout, $0) }) { first, second in
            first.isExotic ? second : first
        }
        let entries = all.values.filter { $0.layout.name != "custom" }
        guard !entries.isEmpty else { throw .noKeyboardData }
        return KeyLayoutRegistry(
            entries: entries.sorted { $0.layout.sortingKey < $1.layout.sortingKey })
    }

    /// The entries that match a search.
    ///
    /// - Parameter search: See ``KeyLayoutEntry/matches(_:)``.
    /// - Returns: The entries in order.
    package func entries(matching search: String) -> [KeyLayoutEntry] {
        entries.filter { $0.matches(search) }
    }

    /// The entry of a layout, or nil.
    ///
    /// - Parameter layout: The layout.
    /// - Returns: Its entry, or nil where it is not listed.
    package func entry(for layout: KeyLayout) -> KeyLayoutEntry? {
        entries.first { $0.layout == layout }
    }
}

extension KeyLayout {
    /// Sorts a layout ahead of its variants and next to nothing else.
    fileprivate var sortingKey: (String, String) { (name, variant ?? "") }
}

/// A layout that the XKB registry lists.
package struct KeyLayoutEntry: Hashable, Sendable {
    /// Its name.
    package let layout: KeyLayout
    /// What people call it, for instance `German (no dead keys)`.
    package let title: String
    /// The languages it is for, by their ISO 639 codes, for instance `deu`.
    package let languages: [String]
    /// The countries it is for, by their ISO 3166 codes, for instance `DE`.
    package let countries: [String]
    /// Whether few people use it: the registry keeps such layouts in a file of their own.
    package let isExotic: Bool

    package init(
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
    package func matches(_ search: String) -> Bool {
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
