/// A symbology identifier such as `]E0`: three characters that a scanner can send before the data.
///
/// Unknown code letters and modifiers are accepted, too.
///
/// Rule: ISO/IEC 15424 (AIM symbology identifiers).
public struct AIMIdentifier: Hashable, Sendable {
    let letter: UInt8
    let digit: UInt8

    /// Parses an identifier; nil for any other text.
    ///
    /// - Parameter text: `]`, an ASCII letter, and an ASCII digit or letter.
    public init?(_ text: borrowing String) {
        self.init(text.utf8.span)
    }

    @inline(__always)
    init?(_ bytes: Span<UInt8>) {
        guard bytes.count == 3, bytes[0] == "]" else { return nil }
        let letter = bytes[1]
        let digit = bytes[2]
        guard letter.isUpper || letter.isLower, digit.isLetterOrDigit else { return nil }
        self.letter = letter
        self.digit = digit
    }

    /// The letter of the symbology family, for instance `E` for EAN and UPC.
    public var codeLetter: Character { Character(Unicode.Scalar(letter)) }

    /// The digit or letter that adds details; for instance, `0` after `E` means 13 digits.
    public var modifier: Character { Character(Unicode.Scalar(digit)) }

    /// Splits off the identifier at the start of scanned text.
    ///
    /// - Parameter text: The scanned characters, with or without an identifier.
    /// - Returns: The identifier (nil if `text` has none), and the text after it.
    @inline(__always)
    public static func split(_ text: String) -> (aim: AIMIdentifier?, text: String) {
        let bytes = text.utf8.span
        guard let aim = AIMIdentifier(bytes.extracting(first: 3)) else { return (nil, text) }
        return (aim, bytes.string(3..<bytes.count))
    }
}

extension AIMIdentifier: CustomStringConvertible {
    /// The identifier's three characters.
    public var description: String { "]\(codeLetter)\(modifier)" }
}

extension AIMIdentifier {
    enum Content: Equatable {
        /// An EAN-13, UPC-A or UPC-E number, sent as 13 digits.
        case ean13
        case ean8
        /// Only the digits of an add-on, without the number in the main symbol.
        case addOn(length: Int)
        case ean13WithAddOn
        /// Interleaved 2 of 5 whose check digit, if the symbol has one, is sent by the scanner.
        case interleaved
        /// Interleaved 2 of 5 whose check digit the scanner verified and removed.
        case interleavedWithoutCheckDigit
        case gs1
        case any
    }

    /// The kind of data that follows the identifier.
    ///
    /// Rule: ISO/IEC 15424 and GS1 General Specifications, figure 7.8.1-1.
    @inline(__always)
    var content: Content {
        switch (letter, digit) {
        case ("E", "0"): .ean13
        case ("E", "1"): .addOn(length: 2)
        case ("E", "2"): .addOn(length: 5)
        case ("E", "3"): .ean13WithAddOn
        case ("E", "4"): .ean8
        case ("I", "3"): .interleavedWithoutCheckDigit
        case ("I", _): .interleaved
        case ("C", "1"), ("J", "1"), ("L", "3"), ("Q", "3"), ("Q", "4"), ("d", "2"), ("d", "5"),
            ("e", "0"), ("e", "1"), ("h", "2"), ("z", "1"):
            .gs1
        default: .any
        }
    }

    /// The symbology; nil if keywedge has no name for it, or if the identifier alone does not determine it.
    ///
    /// Rule: ISO/IEC 15424.
    public var symbology: Symbology? {
        switch (letter, content) {
        case ("A", _): .code39
        case ("C", .gs1): .gs1128
        case ("C", _): .code128
        case ("E", .ean13), ("E", .ean13WithAddOn): .ean13
        case ("E", .ean8): .ean8
        case ("F", _): .codabar
        case ("G", _): .code93
        case ("J", .gs1): .gs1DotCode
        case ("J", _): .dotCode
        case ("L", _): .pdf417
        case ("M", _): .msi
        case ("Q", .gs1): .gs1QRCode
        case ("Q", _): .qrCode
        case ("d", .gs1): .gs1DataMatrix
        case ("d", _): .dataMatrix
        case ("e", _): digit == "0" ? .gs1DataBar : .gs1Composite
        case ("z", _): .aztec
        default: nil
        }
    }
}
