/// A table of the 128 characters that a code page has above ASCII.
struct CodePage: Sendable {
    /// Windows-1252, "Latin 1" as Windows has it; five of its bytes are no character.
    ///
    /// Rule: the mapping table `CP1252.TXT` of the Unicode Consortium.
    static let windows1252 = CodePage(
        Array(
            ("€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}"
                + "\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ").unicodeScalars)
            + (0xA0...0xFF).map { Unicode.Scalar(UInt8($0)) })

    /// Code page 437, the one of the IBM PC.
    ///
    /// Rule: the mapping table `CP437.TXT` of the Unicode Consortium.
    static let ibm437 = CodePage(
        Array(
            ("ÇüéâäàåçêëèïîìÄÅ"
                + "ÉæÆôöòûùÿÖÜ¢£¥₧ƒ"
                + "áíóúñÑªº¿⌐¬½¼¡«»"
                + "░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
                + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧"
                + "╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
                + "αßΓπΣσµτΦΘΩδ∞φε∩"
                + "≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars))

    private let upperHalf: [Unicode.Scalar]

    private init(_ upperHalf: [Unicode.Scalar]) {
        self.upperHalf = upperHalf
    }

    /// The character of a byte, or nil where the page has none.
    ///
    /// - Parameter byte: Any byte; below 0x80 it is ASCII.
    subscript(byte: UInt8) -> Unicode.Scalar? {
        guard byte >= 0x80 else { return Unicode.Scalar(byte) }
        let character = upperHalf[Int(byte) - 0x80]
        return character == Self.none ? nil : character
    }

    /// The byte of a character, or nil where the page does not have it.
    ///
    /// - Parameter character: Any character.
    /// - Returns: The byte, or nil.
    func byte(of character: Unicode.Scalar) -> UInt8? {
        if character.isASCII { return UInt8(character.value) }
        guard character != Self.none, let index = upperHalf.firstIndex(of: character) else {
            return nil
        }
        return UInt8(index + 0x80)
    }

    /// Stands for a byte without a character.
    private static let none: Unicode.Scalar = "\u{FFFD}"
}
