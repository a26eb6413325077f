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
