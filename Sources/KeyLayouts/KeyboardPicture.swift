package import Keystrokes
internal import WireText

/// A text picture of a keyboard and its characters, for a terminal 80 columns wide.
///
/// On each key, the upper characters are typed with Shift, and those on the right with AltGr.
///
/// ```
/// +-----+-----+-----+
/// | Q Ω | W § | E € |
/// | q @ | w ł | e € |
/// +-----+-----+-----+
/// ```
///
/// A star marks a dead key, and a dotted circle a combining mark. A character that is invisible or unsafe for a
/// terminal is drawn as a substitute and named below the picture.
package struct KeyboardPicture: Sendable {
    package let lines: [String]
    private static let width = 80

    package init(_ table: KeyTable) {
        lines = Self.rows.flatMap { Self.drawn($0, of: table) } + Self.legend(of: table)
    }

    /// The rows of the picture, from top to bottom; `margin` is the indentation in spaces.
    private static let rows: [(margin: Int, keys: [KeyCode])] = [
        (
            0,
            [
                .grave, .digit1, .digit2, .digit3, .digit4, .digit5, .digit6, .digit7, .digit8,
                .digit9, .digit0, .minus, .equal,
            ]
        ),
        (3, [.q, .w, .e, .r, .t, .y, .u, .i, .o, .p, .leftbrace, .rightbrace]),
        (5, [.a, .s, .d, .f, .g, .h, .j, .k, .l, .semicolon, .apostrophe, .backslash]),
        (2, [.iso102nd, .z, .x, .c, .v, .b, .n, .m, .comma, .dot, .slash, .ro]),
        (26, [.space]),
    ]

    private static func drawn(
        _ row: (margin: Int, keys: [KeyCode]), of table: KeyTable
    ) -> [String] {
        let keys = row.keys.filter { $0 != .ro || KeyGlyph(table[$0, []], on: table) != nil }
        let margin = String(repeating: " ", count: row.margin)
        let border = margin + String(repeating: "+-----", count: keys.count) + "+"
        let upper = keys.map { "| " + cell($0, [.shift, [.shift, .altGr]], table) }
        let lower = keys.map { key in
            name(of: key, table).map { "|" + $0 } ?? "| " + cell(key, [[], .altGr], table)
        }
        return [border, margin + upper.joined() + "|", margin + lower.joined() + "|", border]
    }

    private static func isDrawn(_ key: KeyCode) -> Bool { rows.contains { $0.keys.contains(key) } }

    /// Returns the characters of a key at two levels; the second is blank if both are the same.
    private static func cell(_ key: KeyCode, _ levels: [KeyLevel], _ table: KeyTable) -> String {
        let blank = String(repeating: " ", count: KeyGlyph.columns)
        let first = table[key, levels[0]]
        let second = table[key, levels[1]]
        let right = second == first ? nil : KeyGlyph(second, on: table)?.text
        return (KeyGlyph(first, on: table)?.text ?? blank) + (right ?? blank)
    }

    /// Returns the name of a modifier or lock key, padded to five columns; nil for other keys.
    private static func name(of key: KeyCode, _ table: KeyTable) -> String? {
        let name: String
        switch table[key, []] {
        case .modifier(.level5): name = "Lvl5"
        case .modifier(let modifier): name = modifier.name
        case .capsLock: name = "Caps"
        default: return nil
        }
        return String((name + "     ").prefix(5))
    }
}

// The lines below the picture.
extension KeyboardPicture {
    private static func legend(of table: KeyTable) -> [String] {
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

    /// Lists the keys outside the picture whose characters differ from those on `us`.
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
            return key.name + " "
                + all.map { $0.prefix { $0 != " " } }.joined(separator: " ")
        }
        return wrapped(texts, after: "Other keys: ")
    }

    /// Returns a line with the key, code point and name of each ``KeyGlyph/hidden`` character.
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
                let number = character.value.padded(to: 4, radix: 16).uppercased()
                let name = character.properties.name.map { " \($0)" } ?? ""
                return String("\(held)\(key.name): U+\(number)\(name)".prefix(width))
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
