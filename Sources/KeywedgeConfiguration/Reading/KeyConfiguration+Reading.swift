import Keystrokes

extension KeyConfiguration {
    /// Reads the map of what single keys mean.
    static func map(_ reader: ConfigurationReader) -> [KeyCode: Self]? {
        guard let entries = reader.entries("a mapping such as {KEY_F8: \"\\u001d\"}") else {
            return nil
        }
        var keys: [KeyCode: Self] = [:]
        for (name, value) in entries {
            guard let key = KeyNames.key(name) else {
                value.report(
                    expected: KeyNames.suggestion(for: name), found: Quoting.quoted(name))
                continue
            }
            guard keys[key] == nil else {
                value.report(
                    expected: "each key once", found: "another name of \(key.name)")
                continue
            }
            keys[key] = meaning(value)
        }
        return keys
    }

    private static func meaning(_ reader: ConfigurationReader) -> Self? {
        reader.value("one character, ignore or terminator") { text in
            switch text {
            case "ignore": .ignore
            case "terminator": .terminator
            default: onlyScalar(of: text).map(Self.character)
            }
        }
    }

    /// The character of a text that has one; what shows as one but is typed as two is two.
    static func onlyScalar(of text: String) -> Unicode.Scalar? {
        text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
    }
}
