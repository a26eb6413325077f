/// A symbology identifier, three characters that a scanner can send ahead of the data: `]E0`.
///
/// Any code letter and modifier is kept, known or not.
///
/// Rule: ISO/IEC 15424 (AIM symbology identifiers).
public struct AIMIdentifier: Hashable, Sendable {
    /// The code letter in ASCII.
    let letter: UInt8
    /// The modifier in ASCII.
    let digit: UInt8

    /// Reads an identifier.
    ///
    /// - Parameter text: `]`, an ASCII letter, an ASCII digit or letter; nothing more.
    public init?(_ text: borrowing String) {
        self.init(text.utf8.span)
    }

    /// Reads an identifier from the bytes of its text.
    @inline(__always)
    init?(_ bytes: Span<UInt8>) {
        guard bytes.count == 3, bytes[0] == UInt8(ascii: "]") else { return nil }
        let letter = bytes[1]
        let digit = bytes[2]
        guard letter.isUpper || letter.isLower, digit.isDigit || digit.isUpper || digit.isLower
        else { return nil }
        self.letter = letter
        self.digit = digit
    }

    /// The code letter, which names the family: `E` for EAN and UPC.
    public var codeLetter: Character { Character(Unicode.Scalar(letter)) }

    /// The modifier, a digit or letter that tells more: `0` for the 13-digit form.
    public var modifier: Character { Character(Unicode.Scalar(digit)) }

    /// Splits an identifier off the front of a text.
    ///
    /// - Parameter text: What a scanner sent, with or without an identifier.
    /// - Returns: The identifier, nil where there is none, and what follows it.
    public static func split(_ text: String) -> (aim: AIMIdentifier?, text: String) {
        let bytes = text.utf8.span
        guard let aim = AIMIdentifier(bytes.extracting(first: 3)) else { return (nil, text) }
        return (aim, bytes.string(3..<bytes.count))
    }
}

extension AIMIdentifier: CustomStringConvertible {
    /// The three characters.
    public var description: String { "]\(codeLetter)\(modifier)" }
}
