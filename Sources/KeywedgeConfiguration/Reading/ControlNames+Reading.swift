import Keystrokes

extension ControlNames {
    /// Reads the list of spellings; `none` gives an empty one.
    static func list(_ reader: ConfigurationReader) -> [ControlNames]? {
        if case .scalar("none", _) = reader.tree.content { return [] }
        let expected = "none, or a list of \(Words.either(allCases.map(\.rawValue)))"
        guard let items = reader.list(expected) else { return nil }
        let names = items.compactMap { $0.choice(ControlNames.self) }
        return allCases.filter(names.contains)
    }
}
