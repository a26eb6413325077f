extension KeyLayoutRegistry {
    /// The error for a layout that does not compile.
    ///
    /// Who writes `german` meant no name that looks like it, but a title.
    ///
    /// - Parameter layout: The layout.
    /// - Returns: The error, with the nearest names there are.
    func error(for layout: KeyLayout) -> KeyLayoutError {
        if entry(for: layout) != nil { return .notCompiled(layout) }
        let variants = entries.filter { $0.layout.name == layout.name }.compactMap(\.layout.variant)
        let names = Set(entries.map(\.layout.name)).sorted()
        guard names.contains(layout.name), let variant = layout.variant else {
            let titled = entries.filter { $0.titleWords.contains(layout.name.lowercased()) }
                .sorted { ($0.title.count, $0.layout.name) < ($1.title.count, $1.layout.name) }
                .map(\.layout.description)
            let nearest = titled.isEmpty ? Self.nearest(to: layout.name, in: names) : titled
            return .unknownLayout(layout.name, nearest: Array(nearest.prefix(3)))
        }
        return .unknownVariant(
            variant, of: layout.name, nearest: Self.nearest(to: variant, in: variants))
    }

    /// The names that are nearest to one that was written, the nearest first; three at the most.
    ///
    /// Counted is how many letters are more or less; up to half of those in both names count as
    /// near, for the names of layouts are short. Case does not count.
    static func nearest(to name: String, in known: [String]) -> [String] {
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

extension KeyLayoutEntry {
    fileprivate var titleWords: [String] {
        title.split { !$0.isLetter }.map { $0.lowercased() }
    }
}
