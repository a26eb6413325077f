/// The layouts and variants that the installed XKB knows.
public struct KeyLayoutRegistry: Sendable {
    /// What is listed, layouts in the order of their names, each followed by its variants.
    public let entries: [KeyLayoutEntry]

    /// Makes a registry.
    ///
    /// - Parameter entries: What it lists.
    public init(entries: [KeyLayoutEntry]) {
        self.entries = entries
    }

    /// Reads the registry of this box, exotic layouts included.
    ///
    /// `custom` is left out: it stands for a layout that the box's owner writes, and where it is
    /// not written there is none.
    ///
    /// - Returns: The registry.
    /// - Throws: ``KeyLayoutError/noKeyboardData``.
    public static func installed() throws(KeyLayoutError) -> KeyLayoutRegistry {
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
    public func entries(matching search: String) -> [KeyLayoutEntry] {
        entries.filter { $0.matches(search) }
    }

    /// The entry of a layout, or nil.
    ///
    /// - Parameter layout: The layout.
    /// - Returns: Its entry, or nil where it is not listed.
    public func entry(for layout: KeyLayout) -> KeyLayoutEntry? {
        entries.first { $0.layout == layout }
    }
}

extension KeyLayout {
    /// Sorts a layout ahead of its variants and next to nothing else.
    fileprivate var sortingKey: (String, String) { (name, variant ?? "") }
}
