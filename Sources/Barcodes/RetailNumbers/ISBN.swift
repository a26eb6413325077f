/// An International Standard Book Number whose check digit is known to be right.
public struct ISBN: Hashable, Sendable {
    /// The number as a GTIN.
    public let gtin: GTIN

    /// Reads an ISBN-13 or ISBN-10.
    ///
    /// - Parameter text: 13 digits that start with 978 or 979 (979-0 is music, no ISBN), or 9
    ///   digits and a digit or `X`; with or without hyphens or spaces between them.
    /// - Throws: `ISBNError`.
    ///
    /// Rule: ISO 2108.
    public init(_ text: String) throws(ISBNError) {
        let bytes = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
        switch bytes.count {
        case 13: gtin = try Self.thirteen(bytes, text)
        case 10: gtin = try Self.ten(bytes, text)
        default: throw .wrongLength(text: text, found: bytes.count)
        }
    }

    /// The book a GTIN stands for, or nil where it is no book's.
    ///
    /// - Parameter gtin: A product's number.
    public init?(gtin: GTIN) {
        let prefix = gtin.number / 1_000_000_000
        guard prefix / 10 == 978 || prefix / 10 == 979 && prefix != 9790 else { return nil }
        self.gtin = gtin
    }

    private static func thirteen(_ bytes: [UInt8], _ text: String) throws(ISBNError) -> GTIN {
        guard bytes.allSatisfy(\.isDigit) else { throw .wrongCharacter(text: text) }
        let number = bytes.reduce(0) { $0 * 10 + UInt64($1.digitValue) }
        let expected = CheckDigit.gs1(forNumber: number / 10)
        guard expected == number % 10 else {
            throw .wrongCheckDigit(
                text: text, expected: String(expected), found: String(number % 10))
        }
        guard let isbn = ISBN(gtin: GTIN(unchecked: number)) else {
            throw .wrongPrefix(text: text)
        }
        return isbn.gtin
    }

    private static func ten(_ bytes: [UInt8], _ text: String) throws(ISBNError) -> GTIN {
        guard bytes.dropLast().allSatisfy(\.isDigit), let last = bytes.last,
            last.isDigit || last | 0x20 == UInt8(ascii: "x")
        else { throw .wrongCharacter(text: text) }
        let expected = checkCharacter(bytes.dropLast().map(\.digitValue))
        let found = last.isDigit ? last : UInt8(ascii: "X")
        guard expected == found else {
            throw .wrongCheckDigit(
                text: text, expected: String(Character(Unicode.Scalar(expected))),
                found: String(Character(Unicode.Scalar(found))))
        }
        let number = bytes.dropLast().reduce(978) { $0 * 10 + UInt64($1.digitValue) }
        return GTIN(unchecked: number * 10 + CheckDigit.gs1(forNumber: number))
    }

    /// The check character of digits weighted 2, 3 … from the right, modulo 11.
    static func checkCharacter(_ digits: [Int]) -> UInt8 {
        let sum = digits.reversed().enumerated().reduce(0) { $0 + ($1.offset + 2) * $1.element }
        let check = UInt8((11 - sum % 11) % 11)
        return check == 10 ? UInt8(ascii: "X") : check + 0x30
    }
}

extension ISBN: CustomStringConvertible {
    /// The number as 13 digits, without hyphens.
    public var description: String { GTIN.digits(of: gtin.number, count: 13) }

    /// The number as an ISBN-10, or nil for numbers that start with 979.
    public var isbn10: String? {
        guard gtin.number / 10_000_000_000 == 978 else { return nil }
        let body = GTIN.digits(of: gtin.number / 10, count: 9)
        let check = Self.checkCharacter(body.utf8.map(\.digitValue))
        return body + String(Character(Unicode.Scalar(check)))
    }
}

/// Why a text is no ISBN or ISSN.
public enum ISBNError: Error, Equatable, Sendable {
    /// Without hyphens and spaces the text has another length; `found` is it.
    case wrongLength(text: String, found: Int)
    /// A character is no digit, nor an X in the last place of the short form.
    case wrongCharacter(text: String)
    /// The number does not start with a prefix of books or serials.
    case wrongPrefix(text: String)
    /// The last character is not the one the others call for.
    case wrongCheckDigit(text: String, expected: String, found: String)
}

extension ISBNError: CustomStringConvertible {
    /// The error as one sentence.
    public var description: String {
        switch self {
        case .wrongLength(let text, let found):
            "\"\(text)\" is no ISBN or ISSN: expected 8, 10 or 13 digits, got \(found)."
        case .wrongCharacter(let text):
            "\"\(text)\" is no ISBN or ISSN: expected only digits, and X at the end, "
                + "got another character."
        case .wrongPrefix(let text):
            "\"\(text)\" is no ISBN or ISSN: expected the prefix 977, 978 or 979, got another."
        case .wrongCheckDigit(let text, let expected, let found):
            "\"\(text)\" is no ISBN or ISSN: expected the check digit \(expected), got \(found)."
        }
    }
}

extension BarcodeDecoder {
    /// ISBN-13 with hyphens or spaces; ISBN-10, which is as likely another number unless it is in
    /// its four groups.
    func isbn(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        let text = scanned.text
        guard (10...17).contains(text.utf8.count), scanned.digits?.count != 13,
            let isbn = try? ISBN(text)
        else { return nil }
        var reading = Reading(.isbn, gtin: isbn.gtin, checkDigit: .valid)
        let separators = text.utf8.count { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: " ") }
        reading.isDoubtful = text.utf8.count - separators == 10 && separators != 3
        return reading
    }

    /// ISSN with its hyphen, which is as likely another number.
    func issn(_ scanned: ScannedText, _ aim: AIMIdentifier?) -> Reading? {
        let bytes = Array(scanned.text.utf8)
        guard bytes.count == 9, bytes[4] == UInt8(ascii: "-"), let issn = try? ISSN(scanned.text)
        else { return nil }
        var reading = Reading(.issn, gtin: issn.gtin(), checkDigit: .valid)
        reading.isDoubtful = true
        return reading
    }
}
