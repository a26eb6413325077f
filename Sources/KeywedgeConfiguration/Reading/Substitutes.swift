/// Characters that stand for others, in a configuration file: `{"|": "\u001d"}`.
enum Substitutes {
    /// Reads the mapping; both sides are one character.
    static func reading(_ reader: ConfigurationReader) -> [Unicode.Scalar: Unicode.Scalar]? {
        guard let entries = reader.entries("a mapping such as {\"|\": \"\\u001d\"}") else {
            return nil
        }
        var substitutes: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (key, value) in entries {
            guard let character = KeyConfiguration.onlyScalar(of: key) else {
                value.report(expected: "one character", found: Quoting.quoted(key))
                continue
            }
            substitutes[character] = value.value("one character", KeyConfiguration.onlyScalar)
        }
        return substitutes
    }
}
