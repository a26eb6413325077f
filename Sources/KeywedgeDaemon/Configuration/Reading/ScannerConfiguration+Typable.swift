import KeyLayouts
import Keystrokes

extension ScannerConfiguration {
    /// Reports what could never come true: a prefix, an end or a substitute no key can type.
    func reportUntypable(_ mapping: ConfigurationMapping<Key>) {
        let ends = scanSettings.terminators.characters
        if let both = substitutes.keys.filter(ends.contains).min() {
            mapping[.substitutes]?.report(
                expected: "characters that do not end a scan",
                found: "\(Quoting.quoted(String(both))), which is a terminator")
        }
        guard !canTypeAnything else { return }
        let characters: [(Key, [Unicode.Scalar])] = [
            (.start, Self.characters(start)), (.terminators, Self.characters(terminators)),
            (.prefix, Array(prefix.unicodeScalars)), (.suffix, Array(suffix.unicodeScalars)),
            (.substitutes, substitutes.keys.sorted()),
        ]
        guard characters.contains(where: { !$0.1.isEmpty }) else { return }
        let typist = Typist(table: scanSettings.table, terminators: .none)
        for (key, characters) in characters {
            let missing = characters.first { typist.keystrokes(for: $0) == nil }
            guard let missing else { continue }
            mapping[key]?.report(
                expected: "characters that layout \(layout.layout) can type",
                found: Quoting.quoted(String(missing)))
        }
    }

    /// Whether characters come that no key of the layout has.
    private var canTypeAnything: Bool {
        altNumpad || unicodeEntry || encoding != .characters
    }

    private static func characters(_ ends: [TerminatorConfiguration]) -> [Unicode.Scalar] {
        ends.compactMap { if case .character(let character) = $0 { character } else { nil } }
    }
}
