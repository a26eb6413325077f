import WireText

/// A piece of a terminal line: escaped bytes, and how many columns they take.
struct Cell: Equatable {
    private(set) var bytes: [UInt8] = []
    private(set) var width = 0

    /// How many characters without a width of their own may follow one that has; more would run
    /// over the lines above and below.
    private static let maximumMarks = 12

    /// Escapes a text and cuts it, with `…` at the end, where it takes more columns than there are.
    ///
    /// An escape is never cut in two.
    init(_ text: String, limit: Int) {
        // Where the text ends if `…` must follow.
        var cut = (bytes: 0, width: 0)
        for character in text {
            for piece in Self.pieces(of: character) {
                let start = bytes.count
                Escaping.line.append(piece, to: &bytes)
                let isEscape = bytes[start...].first == UInt8(ascii: "\\")
                width += isEscape ? bytes.count - start : Character(piece).cellWidth
                if width < limit { cut = (bytes.count, width) }
                guard width <= limit else {
                    end(at: cut.bytes, width: cut.width, limit: limit)
                    return
                }
            }
        }
    }

    private mutating func end(at count: Int, width: Int, limit: Int) {
        bytes.removeLast(bytes.count - count)
        self.width = width
        guard limit > 0 else { return }
        bytes.append("…")
        self.width += 1
    }

    /// What a character is on the terminal; several pieces where one of its parts is escaped.
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
    /// How many columns of a terminal the character takes: 0, 1 or 2.
    ///
    /// An approximation, as every terminal's is. What `Escaping` escapes is not asked for here.
    ///
    /// Sources: UAX #11 (East Asian Width `W` and `F` count 2, all others 1), UTS #51 (emoji
    /// presentation counts 2).
    var cellWidth: Int {
        unicodeScalars.reduce(0) { max($0, $1.cellWidth) }
    }
}

extension Unicode.Scalar {
    /// How many columns the character takes when it stands alone.
    var cellWidth: Int {
        if value < 0x300 { return 1 }
        if isRegionalIndicator || properties.isEmojiPresentation { return 2 }
        if isWideScript { return 2 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return (0x1160...0x11FF).contains(value) ? 0 : 1
        }
    }

    /// The two letters of a flag come as one character.
    private var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    /// The blocks of wide and full-width characters, from EastAsianWidth.txt.
    private var isWideScript: Bool {
        switch value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247,
            0x3250...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265,
            0x20000...0x3FFFD:
            properties.generalCategory != .nonspacingMark
        default: false
        }
    }
}
