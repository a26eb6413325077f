import WireText

/// The values under the keys of a section.
struct SectionValues {
    /// The whole section.
    let reader: ConfigurationReader
    /// Whether there is no key at all, known or unknown.
    let isEmpty: Bool
    private let values: [String: ConfigurationReader]

    /// Reads a mapping; unknown keys are reported with the nearest known one.
    ///
    /// It is nil where the value is no mapping.
    ///
    /// - Parameters:
    ///   - reader: The value.
    ///   - keys: The known keys.
    ///   - former: Keys that an earlier keywedge had, and what to write instead.
    init?(_ reader: ConfigurationReader, keys: [String], former: [String: String]) {
        let what = keys.count == 1 ? "the key " : "the keys "
        guard let entries = reader.entries("a mapping with \(what)\(keys.joined(separator: ", "))")
        else { return nil }
        var values: [String: ConfigurationReader] = [:]
        for (key, value) in entries {
            if keys.contains(key) {
                values[key] = value
            } else {
                let expected = former[key] ?? Self.suggestion(for: key, keys)
                value.report(expected: expected, found: "an unknown key")
            }
        }
        self.reader = reader
        self.values = values
        isEmpty = entries.isEmpty
    }

    private static func suggestion(for key: String, _ known: [String]) -> String {
        let near = NearestName.nearest(to: key, in: known, within: max(1, key.count / 3))
        if let near { return "a known key (did you mean \(near)?)" }
        return known.count == 1 ? "the key \(known[0])" : "one of the keys \(Words.either(known))"
    }

    /// The value under a key; nil where the key is not there.
    subscript(key: String) -> ConfigurationReader? { values[key] }

    /// Whether there is no known key.
    var hasNoSetting: Bool { values.isEmpty }

    /// Says whether a setting stands in the file as often as it must; reports it if not.
    func holds(_ presence: Presence, _ keys: [String]) -> Bool {
        let count = keys.count { values[$0] != nil }
        switch presence {
        case .optional, .beside: return true
        case .needed(let what):
            if count == 0 { reader.at(keys.last ?? "").report(expected: what, found: "none") }
            return count > 0
        case .oneAtMost, .one:
            if count == 1 || count == 0 && presence == .oneAtMost { return true }
            reader.report(
                expected: "one of \(Words.all(keys))", found: count == 0 ? "none" : "\(count)")
            return false
        }
    }
}

/// A section that is read: its values, by the places they have in the struct.
struct SectionReader<Root> {
    /// The values by their keys.
    let values: SectionValues
    let settings: [Setting<Root>]
    /// Whether all that must be there is.
    var isComplete = true

    /// The whole section.
    var reader: ConfigurationReader { values.reader }

    /// What stands in the file for a place in the struct; nil where nothing does.
    subscript(place: PartialKeyPath<Root>) -> ConfigurationReader? {
        settings.lazy.filter { $0.place == place }.flatMap(\.keys).compactMap { values[$0.name] }
            .first
    }

    /// How many keys of a place in the struct are in the file.
    func count(_ place: PartialKeyPath<Root>) -> Int {
        settings.filter { $0.place == place }.flatMap(\.keys).count { values[$0.name] != nil }
    }

    /// The section, under the key of a place in the struct.
    func at(_ place: PartialKeyPath<Root>) -> ConfigurationReader {
        let key = settings.first { $0.place == place }?.keys.first
        return key.map { reader.at($0.name) } ?? reader
    }
}
