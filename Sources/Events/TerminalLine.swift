import WireText

/// A terminal line that is built from coloured cells and gaps.
///
/// A gap is written only when another cell follows, so a line never ends with spaces.
struct TerminalLine {
    /// The role of a cell; the raw value is the control sequence for its colour (ECMA-48, SGR).
    ///
    /// The colours are among the sixteen that a terminal's theme defines.
    enum Role: String, Sendable {
        case quiet = "\u{1b}[2m"
        /// The role of a cell that shows the scanner's name.
        case place = "\u{1b}[36m"
        case strong = "\u{1b}[1m"
        case good = "\u{1b}[32m"
        /// A result that the user should check.
        case doubtful = "\u{1b}[33m"
        /// The role of a cell that shows a rejected scan or a failed lookup.
        case bad = "\u{1b}[31m"
        case plain = ""
    }

    private let isColoured: Bool
    private(set) var bytes: [UInt8] = []
    /// The number of columns used so far, including gaps.
    private(set) var width = 0
    private var pending = 0

    init(isColoured: Bool) { self.isColoured = isColoured }

    mutating func gap(_ columns: Int) {
        pending += columns
        width += columns
    }

    /// Adds text in at most `limit` columns; with `gap`, pads it to `limit` + `gap` columns.
    mutating func add(_ text: String, _ role: Role, limit: Int, gap: Int? = nil) {
        let cell = Cell(text, limit: limit)
        add(cell, role)
        if let gap { self.gap(limit - cell.width + gap) }
    }

    mutating func add(_ cell: Cell, _ role: Role) {
        guard !cell.bytes.isEmpty else { return }
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: pending))
        pending = 0
        let colour = isColoured ? role.rawValue : ""
        bytes += colour.utf8 + cell.bytes + (colour.isEmpty ? "" : "\u{1b}[0m").utf8
        width += cell.width
    }
}

/// Part of a terminal line: escaped bytes and their width in columns.
struct Cell: Equatable {
    private(set) var bytes: [UInt8] = []
    private(set) var width = 0

    /// The maximum number of combining marks to show on a character; more could cover adjacent lines.
    private static let maximumMarks = 12

    /// Escapes text and truncates it to `limit` columns; truncated text ends in `…`.
    ///
    /// The cut never splits an escape sequence.
    init(_ text: String, limit: Int) {
        // The longest beginning that leaves room for `…`.
        var beginning = self
        for piece in text.lazy.flatMap(Self.pieces) {
            let start = bytes.count
            Escaping.line.append(piece, to: &bytes)
            let isEscape = bytes[start...].first == UInt8(ascii: "\\")
            width += isEscape ? bytes.count - start : Character(piece).cellWidth
            if width < limit { beginning = self }
            if width > limit { break }
        }
        guard width > limit else { return }
        self = beginning
        guard limit > 0 else { return }
        bytes.append("…")
        width += 1
    }

    /// Returns a character as a whole or, if it is too long or must be escaped, as up to 13 single scalars.
    private static func pieces(of character: Character) -> [String] {
        let scalars = character.unicodeScalars
        let isWhole =
            scalars.count <= maximumMarks + 1
            && !scalars.contains { $0 == "\\" || Escaping.isUnsafe($0) }
        if isWhole { return [String(character)] }
        return scalars.prefix(maximumMarks + 1).map { String($0) }
    }
}

extension Character {
    /// The number of terminal columns that the character occupies: 0, 1 or 2.
    ///
    /// This is an approximation, as in every terminal. It does not apply to characters that `Escaping` escapes.
    ///
    /// Sources: UAX #11 (East Asian Width `W` and `F` occupy 2 columns, all others 1), UTS #51 (emoji occupy 2).
    fileprivate var cellWidth: Int {
        unicodeScalars.reduce(0) { max($0, $1.cellWidth) }
    }
}

extension Unicode.Scalar {
    /// The number of terminal columns that the scalar occupies on its own: 0, 1 or 2.
    fileprivate var cellWidth: Int {
        if value < 0x300 { return 1 }
        if properties.isEmojiPresentation { return 2 }
        let isMark = [.nonspacingMark, .enclosingMark, .format].contains(properties.generalCategory)
        switch value {
        // Jamo that form one syllable with the preceding jamo.
        case 0x1160...0x11FF: return 0
        // The blocks of wide and full-width characters, from EastAsianWidth.txt.
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247,
            0x3250...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265,
            0x20000...0x3FFFD:
            return isMark ? 0 : 2
        default: return isMark ? 0 : 1
        }
    }
}
