internal import CXKBRegistry

package struct KeyLayoutRegistry: Sendable {
    /// The layouts sorted by name, each followed by its variants.
    package let entries: [KeyLayoutEntry]

    /// Reads the installed layouts, except `custom`, which users define; throws if none are found.
    package static func installed() throws(KeyLayoutError) -> KeyLayoutRegistry {
        // The log is silenced before the folders are added, because the library logs missing folders.
        let flags =
            RXKB_CONTEXT_LOAD_EXOTIC_RULES.rawValue | RXKB_CONTEXT_NO_DEFAULT_INCLUDES.rawValue
        guard let context = rxkb_context_new(rxkb_context_flags(rawValue: flags)) else {
            throw .noKeyboardData
        }
        defer { rxkb_context_unref(context) }
        rxkb_context_set_log_level(context, RXKB_LOG_LEVEL_CRITICAL)
        guard rxkb_context_include_path_append_default(context),
            rxkb_context_parse(context, "evdev")
        else { throw .noKeyboardData }
        var entries: [KeyLayout: KeyLayoutEntry] = [:]
        var next = rxkb_layout_first(context)
        while let layout = next {
            // A few variants are listed twice, once as exotic.
            if let entry = KeyLayoutEntry(layout), entry.layout.name != "custom",
                entries[entry.layout]?.isExotic ?? true
            {
                entries[entry.layout] = entry
            }
            next = rxkb_layout_next(layout)
        }
        guard !entries.isEmpty else { throw .noKeyboardData }
        return KeyLayoutRegistry(
            entries: entries.values.sorted { $0.layout.sortingKey < $1.layout.sortingKey })
    }

    package func entries(matching search: String) -> [KeyLayoutEntry] {
        entries.filter { $0.matches(search) }
    }

    package func entry(for layout: KeyLayout) -> KeyLayoutEntry? {
        entries.first { $0.layout == layout }
    }
}

extension KeyLayout {
    fileprivate var sortingKey: (String, String) { (name, variant ?? "") }
}

package struct KeyLayoutEntry: Hashable, Sendable {
    package let layout: KeyLayout
    /// The human-readable name, for instance `German (no dead keys)`.
    package let title: String
    /// The ISO 639 codes of the layout's languages, for instance `deu`.
    package let languages: [String]
    /// The ISO 3166 codes of the layout's countries, for instance `DE`.
    package let countries: [String]
    /// Whether XKB lists the layout as exotic, that is, as used by few people.
    package let isExotic: Bool

    fileprivate init?(_ entry: OpaquePointer) {
        let variant = rxkb_layout_get_variant(entry).map { String(cString: $0) } ?? ""
        guard let name = rxkb_layout_get_name(entry).map({ String(cString: $0) }),
            let layout = try? KeyLayout(variant.isEmpty ? name : "\(name):\(variant)")
        else { return nil }
        self.layout = layout
        title = rxkb_layout_get_description(entry).map { String(cString: $0) } ?? name
        languages = Self.codes(
            rxkb_layout_get_iso639_first(entry), rxkb_iso639_code_get_code,
            next: rxkb_iso639_code_next)
        countries = Self.codes(
            rxkb_layout_get_iso3166_first(entry), rxkb_iso3166_code_get_code,
            next: rxkb_iso3166_code_next)
        isExotic = rxkb_layout_get_popularity(entry) == RXKB_POPULARITY_EXOTIC
    }

    private static func codes(
        _ first: OpaquePointer?, _ text: (OpaquePointer?) -> UnsafePointer<CChar>?,
        next: (OpaquePointer?) -> OpaquePointer?
    ) -> [String] {
        var codes: [String] = []
        var code = first
        while code != nil {
            if let text = text(code) { codes.append(String(cString: text)) }
            code = next(code)
        }
        return codes
    }

    /// Whether each word of `search` matches the layout's names or codes, ignoring case.
    package func matches(_ search: String) -> Bool {
        let codes = (languages + countries).map { $0.lowercased() }
        let text = "\(layout) \(title)".lowercased().utf8
        return search.lowercased().split(separator: " ").allSatisfy { word in
            codes.contains(String(word))
                || text.indices.contains { text[$0...].starts(with: word.utf8) }
        }
    }
}

extension KeyLayoutRegistry {
    /// Returns the error for a layout that does not compile; for an unknown name or variant, it suggests others.
    ///
    /// For an unknown name such as `german`, it suggests layouts whose titles contain the name as a word or, if no
    /// title does, layouts with similar names.
    func error(for layout: KeyLayout) -> KeyLayoutError {
        if entry(for: layout) != nil { return .notCompiled(layout) }
        let variants = entries.filter { $0.layout.name == layout.name }.compactMap(\.layout.variant)
        let names = Set(entries.map(\.layout.name)).sorted()
        guard names.contains(layout.name), let variant = layout.variant else {
            let word = layout.name.lowercased()
            let titled = entries.filter { entry in
                entry.title.split { !$0.isLetter }.contains { $0.lowercased() == word }
            }
            let nearest =
                titled.sorted {
                    ($0.title.count, $0.layout.name) < ($1.title.count, $1.layout.name)
                }
                .prefix(3).map(\.layout.description)
            return .unknownLayout(
                layout.name,
                nearest: nearest.isEmpty ? Self.nearest(to: layout.name, in: names) : nearest)
        }
        return .unknownVariant(
            variant, of: layout.name, nearest: Self.nearest(to: variant, in: variants))
    }

    /// Returns up to three known names similar to an unknown one, the most similar first.
    ///
    /// Letter case is ignored. The distance between two names is the number of letters to remove and insert to turn one
    /// into the other. Names are similar if the distance is at most half of their combined length. A smaller limit
    /// would be too strict for short names.
    private static func nearest(to name: String, in known: [String]) -> [String] {
        let written = Array(name.lowercased().utf8)
        let measured = known.map { candidate in
            let letters = Array(candidate.lowercased().utf8)
            let distance = letters.difference(from: written).count
            return (name: candidate, distance: distance, total: letters.count + written.count)
        }
        let near = measured.filter { $0.distance * 2 <= $0.total }
        let sorted = near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return sorted.prefix(3).map(\.name)
    }
}
