import KeyLayouts
import Keystrokes

extension ScannerConfiguration {
    /// Reports what could never come true: a prefix, an end or a substitute no key can type, keys
    /// that two settings claim.
    func reportUntypable(_ mapping: ConfigurationMapping<Key>) {
        reportLostEnds(mapping)
        reportNumberKeys(mapping)
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

    /// Keys that end scans, and that `keys` makes something else.
    private func reportLostEnds(_ mapping: ConfigurationMapping<Key>) {
        guard !terminators.isEmpty, scanSettings.terminators.isEmpty else { return }
        mapping[.keys]?.report(
            expected: "a terminator that stays one",
            found: "every key that ends a scan with another meaning")
    }

    /// A key that is part of characters' numbers cannot be anything else: the number would be
    /// another one.
    private func reportNumberKeys(_ mapping: ConfigurationMapping<Key>) {
        var taken: [KeyCode] = []
        if altNumpad { taken += KeyCode.ofAltNumbers }
        if unicodeEntry { taken += KeyCode.ofUnicodeNumbers }
        guard let key = keys.keys.filter(taken.contains).min(by: { $0.rawValue < $1.rawValue })
        else { return }
        mapping[.keys]?.report(
            expected: "keys that type no part of a number (alt_numpad, unicode_entry)",
            found: key.name)
    }

    /// Whether characters come that no key of the layout has.
    private var canTypeAnything: Bool {
        altNumpad || unicodeEntry || encoding != .characters
    }

    private static func characters(_ ends: [TerminatorConfiguration]) -> [Unicode.Scalar] {
        ends.compactMap { if case .character(let character) = $0 { character } else { nil } }
    }
}
