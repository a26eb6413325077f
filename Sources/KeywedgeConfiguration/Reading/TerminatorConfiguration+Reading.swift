extension TerminatorConfiguration {
    private static let expected =
        "enter, tab, esc, none, one character or the kernel's name of a key"

    /// Reads the list of what ends a scan; `[none]` gives an empty list.
    static func list(_ reader: ConfigurationReader) -> [Self]? {
        list(reader, none: "at least one terminator ([none] where only a pause ends a scan)")
    }

    /// Reads the list of what begins a scan; `[none]` gives an empty list.
    static func starts(_ reader: ConfigurationReader) -> [Self]? {
        list(reader, none: "at least one start ([none] where any key begins a scan)")
    }

    private static func list(_ reader: ConfigurationReader, none: String) -> [Self]? {
        guard let items = reader.list("a list such as [enter, tab], or [none]") else { return nil }
        guard !items.isEmpty else {
            reader.report(expected: none)
            return nil
        }
        if items.count == 1, case .scalar("none", _) = items[0].tree.content { return [] }
        var terminators: [Self] = []
        for item in items {
            guard let terminator = one(item) else { continue }
            if terminators.contains(terminator) {
                item.report(expected: "each terminator once")
            } else {
                terminators.append(terminator)
            }
        }
        return terminators
    }

    private static func one(_ reader: ConfigurationReader) -> Self? {
        guard let text = reader.text(expected) else { return nil }
        switch text {
        case "enter": return .enter
        case "tab": return .tab
        case "esc": return .escape
        case "none":
            reader.report(expected: "none to stand alone, for no terminator")
            return nil
        default:
            return characterOrKey(text, reader)
        }
    }

    private static func characterOrKey(_ text: String, _ reader: ConfigurationReader) -> Self? {
        if let character = KeyConfiguration.onlyScalar(of: text) { return .character(character) }
        if let key = KeyNames.key(text) { return .key(key) }
        reader.report(
            expected: text.hasPrefix("KEY_") ? KeyNames.suggestion(for: text) : expected)
        return nil
    }
}
