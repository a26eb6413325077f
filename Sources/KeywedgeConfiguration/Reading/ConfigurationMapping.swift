/// A mapping whose keys are known.
struct ConfigurationMapping<Key> where Key: CaseIterable & RawRepresentable<String> {
    private let readers: [String: ConfigurationReader]
    /// Whether there is no key at all, known or unknown.
    let isEmpty: Bool

    /// Reads a mapping; unknown keys are reported with the nearest known one.
    ///
    /// It is nil where the value is no mapping.
    ///
    /// - Parameter reader: The value.
    init?(_ reader: ConfigurationReader) {
        let known = Key.allCases.map(\.rawValue)
        guard let entries = reader.entries("a mapping with \(Self.keys(known))") else {
            return nil
        }
        var readers: [String: ConfigurationReader] = [:]
        for (key, value) in entries {
            if known.contains(key) {
                readers[key] = value
            } else {
                value.report(expected: Self.suggestion(for: key, known), found: "an unknown key")
            }
        }
        self.readers = readers
        isEmpty = entries.isEmpty
    }

    /// The value of a key; nil where the key is not there.
    subscript(key: Key) -> ConfigurationReader? { readers[key.rawValue] }

    /// Puts the value of a key in the place of a default, if it is there and right.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The default, which is kept otherwise.
    ///   - read: Reads the value; reports and gives nil where it is wrong.
    func read<Value>(
        _ key: Key, into value: inout Value, _ read: (ConfigurationReader) -> Value?
    ) {
        if let found = self[key].flatMap(read) { value = found }
    }

    /// Puts the value of a key in the place of one that has no default, if it is there and right.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: What the value is put into.
    ///   - read: Reads the value; reports and gives nil where it is wrong.
    func read<Value>(
        _ key: Key, into value: inout Value?, _ read: (ConfigurationReader) -> Value?
    ) {
        if let found = self[key].flatMap(read) { value = found }
    }

    private static func keys(_ known: [String]) -> String {
        (known.count == 1 ? "the key " : "the keys ") + known.joined(separator: ", ")
    }

    private static func suggestion(for key: String, _ known: [String]) -> String {
        let near = NearestName.nearest(to: key, in: known, within: max(1, key.count / 3))
        if let near { return "a known key (did you mean \(near)?)" }
        return known.count == 1 ? "the key \(known[0])" : "one of the keys \(Words.either(known))"
    }
}
