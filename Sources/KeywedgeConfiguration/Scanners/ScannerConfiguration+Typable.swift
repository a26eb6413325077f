import KeyLayouts
import Keystrokes
import WireText

extension ScannerConfiguration {
    /// Reports what could never come true: a character that no scan can hold, a start that nobody
    /// sees, keys that two settings claim.
    func reportUntypable(_ section: SectionReader<Self>) {
        let settings = scanSettings
        reportLostEnds(section, settings)
        reportIdlePause(section, settings)
        reportUnseenStarts(section, settings)
        reportNumberKeys(section, settings)
        reportCharacters(section, settings)
    }

    /// Keys that end scans, and that `keys` makes something else.
    private func reportLostEnds(_ section: SectionReader<Self>, _ settings: ScanSettings) {
        guard !terminators.isEmpty, settings.terminators.isEmpty else { return }
        section[\.keys]?.report(
            expected: "a terminator that stays one",
            found: "every key that ends a scan with another meaning")
    }

    /// A pause behind terminators where there are none.
    private func reportIdlePause(_ section: SectionReader<Self>, _ settings: ScanSettings) {
        guard terminatorPause > .zero, settings.terminators.isEmpty else { return }
        section[\.terminatorPause]?.report(
            expected: "a terminator for the pause to follow", found: "none among terminators")
    }

    /// Keys that should begin a scan, and that are only ever held with others or passed over.
    private func reportUnseenStarts(
        _ section: SectionReader<Self>, _ settings: ScanSettings
    ) {
        // What ends a scan is always seen, and without terminators that is the start itself.
        guard !settings.terminators.isEmpty else { return }
        let candidates = settings.start.keys.subtracting(settings.terminators.keys)
        for key in candidates.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let what = Self.unseen(settings.table[key, []]) else { continue }
            section[\.start]?.report(
                expected: "keys that are pressed by themselves", found: "\(key.name), \(what)")
        }
    }

    private static func unseen(_ meaning: KeyMeaning) -> String? {
        switch meaning {
        case .modifier(let modifier): "which is \(modifier.name)"
        case .capsLock: "which is Caps Lock"
        case .ignored: "which is passed over"
        default: nil
        }
    }

    /// A key that is part of characters' numbers cannot be anything else: the number would be
    /// another one, or come to no end.
    private func reportNumberKeys(
        _ section: SectionReader<Self>, _ settings: ScanSettings
    ) {
        var taken: [KeyCode] = []
        if altNumpad { taken += KeyCode.ofAltNumbers }
        if unicodeEntry { taken += KeyCode.ofUnicodeNumbers }
        let claims: [(PartialKeyPath<Self>, Set<KeyCode>)] = [
            (\.keys, Set(keys.keys)), (\.start, settings.start.keys),
            (\.terminators, settings.terminators.keys.subtracting(keys.keys)),
        ]
        for (setting, keys) in claims {
            let key = keys.intersection(taken).min { $0.rawValue < $1.rawValue }
            guard let key else { continue }
            section[setting]?.report(
                expected: "keys that type no part of a number (alt_numpad, unicode_entry)",
                found: "\(key.name)")
        }
    }
}

extension ScannerConfiguration {
    /// Characters that cannot come where a setting has them.
    private func reportCharacters(_ section: SectionReader<Self>, _ settings: ScanSettings) {
        let ends: [(PartialKeyPath<Self>, [Unicode.Scalar])] = [
            (\.start, Self.characters(start)), (\.terminators, Self.characters(terminators)),
        ]
        let data: [(PartialKeyPath<Self>, [Unicode.Scalar])] = [
            (\.prefix, Array(prefix.unicodeScalars)), (\.suffix, Array(suffix.unicodeScalars)),
            (\.substitutes, substitutes.keys.sorted()),
            (\.controlNames, controlNames.flatMap(\.brackets)),
        ]
        // A typist takes some milliseconds to make, and most scanners ask for none.
        guard (ends + data).contains(where: { !$0.1.isEmpty }) else { return }
        let typist = ScanTypist(settings: settings)
        for (key, characters) in ends {
            guard let missing = characters.first(where: { !typist.canType(atEnds: $0) }) else {
                continue
            }
            report(.noKey, missing, to: section[key])
        }
        for (key, characters) in data {
            let obstacles = characters.lazy.compactMap { character in
                typist.obstacle(to: character).map { ($0, character) }
            }
            guard let (obstacle, character) = obstacles.first else { continue }
            report(obstacle, character, to: section[key])
        }
    }

    private func report(
        _ obstacle: ScanTypist.Obstacle, _ character: Unicode.Scalar,
        to reader: ConfigurationReader?
    ) {
        let found: Phrase = "\(quoted: String(character))"
        switch obstacle {
        case .noKey:
            reader?.report(
                expected: "characters that layout \(layout.layout) can type", found: found)
        case .notInEncoding:
            reader?.report(
                expected: "characters that \(encoding.rawValue) has", found: found)
        case .endsScan:
            reader?.report(
                expected: "characters that do not end a scan", found: "\(found), which does")
        }
    }

    private static func characters(_ ends: [TerminatorConfiguration]) -> [Unicode.Scalar] {
        ends.compactMap { if case .character(let character) = $0 { character } else { nil } }
    }
}

extension KeyCode {
    /// The keys that numbers of characters are typed with in ALT mode.
    static let ofAltNumbers = named(["LEFTALT", "RIGHTALT"] + (0...9).map { "KP\($0)" })

    /// The keys that numbers of characters are typed with in Unicode entry.
    static let ofUnicodeNumbers = named(
        ["LEFTCTRL", "RIGHTCTRL", "LEFTSHIFT", "RIGHTSHIFT", "U", "A", "B", "C", "D", "E", "F"]
            + (0...9).map(String.init))

    private static func named(_ names: [String]) -> [KeyCode] {
        names.compactMap { KeyCode(name: "KEY_" + $0) }
    }
}
