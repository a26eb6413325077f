internal import Keystrokes

extension KeyboardPicture {
    static let width = 80

    /// What the picture alone does not tell.
    static func legend(of table: KeyTable) -> [String] {
        [
            "A key: Shift above, alone below; to the right with AltGr.  * dead key  ␣ space"
        ] + choosers(of: table) + otherKeys(of: table) + hiddenCharacters(of: table)
    }

    private static func choosers(of table: KeyTable) -> [String] {
        let wanted: [(String, KeyMeaning)] = [
            ("AltGr: ", .modifier(.altGr)), ("Level 5, not shown: ", .modifier(.level5)),
            ("Caps Lock: ", .capsLock),
        ]
        return wanted.flatMap { name, meaning in
            wrapped(table.keys.filter { table[$0, []] == meaning }.map(\.name), after: name)
        }
    }

    /// Keys that are not in the picture and type something else than on `us`.
    private static func otherKeys(of table: KeyTable) -> [String] {
        let keys = table.keys.filter { key in
            !isDrawn(key) && table[key, []] != KeyTable.us[key, []]
                && (KeyTable.us[key, []] != .unknown || key == .yen)
        }
        let texts = keys.compactMap { key -> String? in
            let glyphs = ([[], .shift] as [KeyLevel]).compactMap { level in
                KeyGlyph(table[key, level], on: table)?.text
            }
            guard let first = glyphs.first else { return nil }
            let all = first == glyphs.last ? [first] : glyphs
            return key.name + " " + all.map(trimmed).joined(separator: " ")
        }
        return wrapped(texts, after: "Other keys: ")
    }

    private static func trimmed(_ glyph: String) -> String {
        String(glyph.prefix { $0 != " " })
    }

    /// The names of the characters that the picture shows a sign for.
    private static func hiddenCharacters(of table: KeyTable) -> [String] {
        let levels: [(KeyLevel, String)] = [
            ([], ""), (.shift, "Shift+"), (.altGr, "AltGr+"), ([.shift, .altGr], "Shift+AltGr+"),
        ]
        return table.keys.filter(isDrawn).flatMap { key in
            levels.compactMap { level, held in
                guard let character = KeyGlyph(table[key, level], on: table)?.hidden,
                    level.isDisjoint(with: .altGr)
                        || table[key, level] != table[key, level.subtracting(.altGr)]
                else { return nil }
                let number = String(character.value, radix: 16, uppercase: true)
                let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
                let name = character.properties.name.map { " \($0)" } ?? ""
                return String("\(held)\(key.name): U+\(padded)\(name)".prefix(width))
            }
        }
    }

    private static func wrapped(_ texts: [String], after start: String) -> [String] {
        guard !texts.isEmpty else { return [] }
        var lines = [start]
        for text in texts {
            let isFirst = lines[lines.count - 1].hasSuffix(": ")
            let addition = isFirst ? text : "  " + text
            if lines[lines.count - 1].count + addition.count > width {
                lines.append("  " + text)
            } else {
                lines[lines.count - 1] += addition
            }
        }
        return lines
    }
}
