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
    public init?(_ text: String) {
        guard text.utf8.count == 3 else { return nil }
        var bytes = text.utf8.makeIterator()
        guard bytes.next() == UInt8(ascii: "]"),
            let letter = bytes.next(), letter.isUpper || letter.isLower,
            let digit = bytes.next(), digit.isDigit || digit.isUpper || digit.isLower
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
        guard text.utf8.first == UInt8(ascii: "]"),
            let aim = AIMIdentifier(String(text.unicodeScalars.prefix(3)))
        else { return (nil, text) }
        return (aim, String(text.unicodeScalars.dropFirst(3)))
    }
}

extension AIMIdentifier: CustomStringConvertible {
    /// The three characters.
    public var description: String { "]\(codeLetter)\(modifier)" }
}
