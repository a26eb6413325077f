/// A Code 128 symbol in code set B, as a pattern of modules.
///
/// Rule: ISO/IEC 15417, table 1: each character is three bars and three spaces, eleven modules wide.
struct Code128: Equatable, Sendable {
    /// The modules from left to right, without the quiet zones; true means dark.
    let modules: [Bool]

    private static let startB = 104
    private static let stop = 106

    /// Encodes text; nil if the text is empty or contains characters outside printable ASCII.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let values = bytes.map { Int($0) - 0x20 }
        let sum = values.enumerated().reduce(Self.startB) { $0 + ($1.offset + 1) * $1.element }
        let codes = [Self.startB] + values + [sum % 103, Self.stop]
        modules = codes.flatMap { code in
            Self.widths[code].utf8.enumerated().flatMap { index, width in
                [Bool](repeating: index.isMultiple(of: 2), count: Int(width) - 0x30)
            }
        }
    }

    /// The widths of each character's bars and spaces, in modules, indexed by character value.
    private static let widths =
        """
        212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 \
        122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 \
        321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 \
        211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 \
        213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 \
        121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 \
        241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 \
        412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 \
        211214 211232 2331112
        """.split(separator: " ").map(String.init)
}

/// A Code 128 symbol drawn with block characters for a terminal.
package struct TerminalSymbol: Equatable, Sendable {
    /// The text of the test symbol, typed with different keys in different keyboard layouts.
    package static let testText = "KW-zy/1a"

    /// The symbol's width in terminal columns.
    package let columns: Int
    /// The lines to print: the symbol, and below it the text.
    package let lines: [String]

    /// Draws the symbol for a text; nil unless the text is non-empty printable ASCII.
    package init?(_ text: String, rows: Int = 7) {
        guard let modules = Code128(text)?.modules else { return nil }
        let quiet = [Bool](repeating: false, count: 10)
        var dark = quiet + modules + quiet
        if !dark.count.isMultiple(of: 2) { dark.append(false) }
        let cells = stride(from: 0, to: dark.count, by: 2).map { index in
            switch (dark[index], dark[index + 1]) {
            case (true, true): "█"
            case (true, false): "▌"
            case (false, true): "▐"
            case (false, false): " "
            }
        }
        columns = cells.count
        // Black on bright white, independent of the terminal's theme.
        let line = { (text: String) in "\u{1b}[30;107m\(text)\u{1b}[0m" }
        let blank = line(String(repeating: " ", count: columns))
        let room = String(repeating: " ", count: max(0, (columns - text.count) / 2))
        lines =
            [blank] + [String](repeating: line(cells.joined()), count: rows)
            + [blank, room + text]
    }
}
