/// How to read typed characters: as the data itself, or as the bytes of an encoding.
public enum TypedEncoding: String, Hashable, Sendable, CaseIterable {
    /// Each typed character is itself a character of the data.
    case characters
    case utf8 = "utf-8"
    case windows1252 = "windows-1252"
    /// Each typed character stands for a byte of Shift_JIS in Microsoft's variant, code page 932.
    case shiftJIS = "shift_jis"
}

enum DecodedBytes: Equatable {
    case text(String)
    /// The byte at this 0-based offset begins no valid character.
    case invalid(at: Int)
}

extension TypedEncoding {
    /// Decodes typed characters.
    ///
    /// A character up to U+00FF stands for the byte of the same value. Any other character stands for its byte in
    /// Windows-1252: a layout has no key for U+0080, but may have one for the euro sign, which is byte 0x80.
    func decoded(_ typed: String) -> DecodedBytes {
        guard self != .characters else { return .text(typed) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(typed.utf8.count)
        for scalar in typed.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) ?? CodePage.windows1252.byte(of: scalar)
            else { return .invalid(at: bytes.count) }
            bytes.append(byte)
        }
        return decoded(bytes)
    }

    private func decoded(_ bytes: [UInt8]) -> DecodedBytes {
        switch self {
        case .characters, .utf8: Self.decodedUTF8(bytes)
        case .windows1252: Self.decodedWindows1252(bytes)
        case .shiftJIS: ShiftJIS.decoded(bytes)
        }
    }

    func bytes(of scalar: Unicode.Scalar) -> [UInt8]? {
        switch self {
        case .characters, .utf8: Array(String(scalar).utf8)
        case .windows1252: CodePage.windows1252.byte(of: scalar).map { [$0] }
        case .shiftJIS: ShiftJIS.bytes(of: scalar)
        }
    }

    /// The maximum number of characters typed for one character of the data.
    var longestCharacter: Int {
        switch self {
        case .characters, .windows1252: 1
        case .utf8: 4
        case .shiftJIS: 2
        }
    }

    private static func decodedUTF8(_ bytes: [UInt8]) -> DecodedBytes {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        var text = String.UnicodeScalarView()
        var length = 0
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar):
                text.append(scalar)
                length += UTF8.width(scalar)
            case .emptyInput: return .text(String(text))
            case .error: return .invalid(at: length)
            }
        }
    }

    private static func decodedWindows1252(_ bytes: [UInt8]) -> DecodedBytes {
        var text = String.UnicodeScalarView()
        for (offset, byte) in bytes.enumerated() {
            guard let scalar = CodePage.windows1252[byte] else { return .invalid(at: offset) }
            text.append(scalar)
        }
        return .text(String(text))
    }
}

/// A single-byte code page: ASCII and up to 128 other characters.
struct CodePage: Sendable {
    /// Windows-1252, Microsoft's code page for Western Europe; five of its bytes have no character.
    ///
    /// Rule: the mapping table `CP1252.TXT` of the Unicode Consortium.
    static let windows1252 = CodePage(
        Array(
            ("€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}"
                + "\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ").unicodeScalars)
            + (0xA0...0xFF).map { Unicode.Scalar(UInt8($0)) })

    /// Code page 437, the character set of the IBM PC.
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

    /// The character that a byte stands for (ASCII below 0x80); nil if the code page has none.
    subscript(byte: UInt8) -> Unicode.Scalar? {
        guard byte >= 0x80 else { return Unicode.Scalar(byte) }
        let character = upperHalf[Int(byte) - 0x80]
        return character == Self.none ? nil : character
    }

    func byte(of character: Unicode.Scalar) -> UInt8? {
        if character.isASCII { return UInt8(character.value) }
        guard character != Self.none, let index = upperHalf.firstIndex(of: character) else {
            return nil
        }
        return UInt8(index + 0x80)
    }

    /// The placeholder in ``upperHalf`` for bytes that have no character.
    private static let none: Unicode.Scalar = "\u{FFFD}"
}
