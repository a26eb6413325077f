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
