package import Keystrokes

/// A picture of a keyboard in text: what each key of a layout types, for a terminal 80 columns wide.
///
/// A key shows what it types with Shift above and alone below; to the right of both, with AltGr.
///
/// ```
/// +-----+-----+-----+
/// | Q Ω | W § | E € |
/// | q @ | w ł | e € |
/// +-----+-----+-----+
/// ```
///
/// A dead key bears a star. Marks that combine stand on a dotted circle. What is blank or unsafe
/// for a terminal is never printed: a sign stands for it, and below the picture its name.
package struct KeyboardPicture: Sendable {
    /// The picture, line by line; no line is wider than 80 columns.
    package let lines: [String]

    /// Draws a table.
    ///
    /// - Parameter table: The table.
    package init(_ table: KeyTable) {
        var lines: [String] = []
        for row in Self.rows { lines += Self.drawn(row, of: table) }
        lines += Self.legend(of: table)
        self.lines = lines
    }

    /// A row of keys and how far it stands in from the left, in columns.
    private struct Row {
        let margin: Int
        let keys: [KeyCode]
    }

    /// The keys of a European keyboard and where they are; Japan's and Brazil's one more beside the
    /// right Shift key.
    private static let rows = [
        Row(
            margin: 0,
            keys: [
                .grave, .digit1, .digit2, .digit3, .digit4, .digit5, .digit6, .digit7, .digit8,
                .digit9, .digit0, .minus, .equal,
            ]),
        Row(
            margin: 3,
            keys: [.q, .w, .e, .r, .t, .y, .u, .i, .o, .p, .leftbrace, .rightbrace]),
        Row(
            margin: 5,
            keys: [.a, .s, .d, .f, .g, .h, .j, .k, .l, .semicolon, .apostrophe, .backslash]),
        Row(
            margin: 2,
            keys: [.iso102nd, .z, .x, .c, .v, .b, .n, .m, .comma, .dot, .slash, .ro]),
        Row(margin: 26, keys: [.space]),
    ]

    private static func drawn(_ row: Row, of table: KeyTable) -> [String] {
        let keys = row.keys.filter { $0 != .ro || types($0, table) }
        let margin = String(repeating: " ", count: row.margin)
        let border = margin + String(repeating: "+-----", count: keys.count) + "+"
        let upper = keys.map { "| " + cell($0, [.shift, [.shift, .altGr]], table) }
        let lower = keys.map { key in
            name(of: key, table).map { "|" + $0 } ?? "| " + cell(key, [[], .altGr], table)
        }
        return [border, margin + upper.joined() + "|", margin + lower.joined() + "|"]
            + [border]
    }

    /// Whether a key has a place in the picture.
    static func isDrawn(_ key: KeyCode) -> Bool { rows.contains { $0.keys.contains(key) } }

    private static func types(_ key: KeyCode, _ table: KeyTable) -> Bool {
        KeyGlyph(table[key, []], on: table) != nil
    }

    /// Two glyphs; the second is left out where it says nothing new.
    private static func cell(_ key: KeyCode, _ levels: [KeyLevel], _ table: KeyTable) -> String {
        let blank = String(repeating: " ", count: KeyGlyph.columns)
        let first = table[key, levels[0]]
        let second = table[key, levels[1]]
        let right = second == first ? nil : KeyGlyph(second, on: table)?.text
        return (KeyGlyph(first, on: table)?.text ?? blank) + (right ?? blank)
    }

    /// The name of a key that changes others, five columns wide; nil for one that types.
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
