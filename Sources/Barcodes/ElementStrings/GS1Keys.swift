/// Why a text is no GS1 key.
public enum GS1KeyError: Error, Equatable, Sendable {
    /// The text has another length than the key's.
    case wrongLength(text: String, expected: Int, found: Int)
    /// The character at the 0-based offset `at` is no ASCII digit.
    case notADigit(text: String, at: Int)
    /// The last digit is not the one the others call for.
    case wrongCheckDigit(text: String, expected: Int, found: Int)
}

extension GS1KeyError: CustomStringConvertible {
    /// The error as one sentence.
    public var description: String {
        switch self {
        case .wrongLength(let text, let expected, let found):
            "\"\(text)\" is no GS1 key: expected \(expected) digits, got \(found) characters."
        case .notADigit(let text, let at):
            "\"\(text)\" is no GS1 key: expected a digit at offset \(at), got another character."
        case .wrongCheckDigit(let text, let expected, let found):
            "\"\(text)\" is no GS1 key: expected the check digit \(expected), got \(found)."
        }
    }
}

extension GS1KeyError {
    /// The number in a text of digits that end in their check digit.
    static func number(_ text: String, length: Int) throws(GS1KeyError) -> UInt64 {
        guard text.utf8.count == length else {
            throw .wrongLength(text: text, expected: length, found: text.unicodeScalars.count)
        }
        var number: UInt64 = 0
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            guard ("0"..."9").contains(scalar) else { throw .notADigit(text: text, at: offset) }
            number = number * 10 + UInt64(scalar.value - 0x30)
        }
        let expected = CheckDigit.gs1(forNumber: number / 10)
        guard expected == number % 10 else {
            throw .wrongCheckDigit(text: text, expected: Int(expected), found: Int(number % 10))
        }
        return number
    }
}

/// A Global Location Number: a party's or place's number, whose check digit is known to be right.
public struct GLN: Hashable, Sendable {
    private let number: UInt64

    /// Reads a GLN and checks its last digit.
    ///
    /// - Parameter text: 13 ASCII digits; no application identifier.
    /// - Throws: `GS1KeyError.wrongLength`, `.notADigit` or `.wrongCheckDigit`.
    ///
    /// Rule: GS1 General Specifications, sections 2.4.4 and 7.9.1.
    public init(_ text: String) throws(GS1KeyError) {
        number = try GS1KeyError.number(text, length: 13)
    }
}

extension GLN: CustomStringConvertible {
    /// The number as 13 digits.
    public var description: String { GTIN.digits(of: number, count: 13) }
}

/// A Serial Shipping Container Code: a pallet's or parcel's number, whose check digit is known to
/// be right.
public struct SSCC: Hashable, Sendable {
    private let number: UInt64

    /// Reads an SSCC and checks its last digit.
    ///
    /// - Parameter text: 18 ASCII digits; no application identifier.
    /// - Throws: `GS1KeyError.wrongLength`, `.notADigit` or `.wrongCheckDigit`.
    ///
    /// Rule: GS1 General Specifications, sections 3.3.1 and 7.9.1.
    public init(_ text: String) throws(GS1KeyError) {
        number = try GS1KeyError.number(text, length: 18)
    }

    /// Takes a number whose last digit is its check digit.
    init?(number: UInt64) {
        guard number < 1_000_000_000_000_000_000,
            CheckDigit.gs1(forNumber: number / 10) == number % 10
        else { return nil }
        self.number = number
    }
}

extension SSCC: CustomStringConvertible {
    /// The number as 18 digits.
    public var description: String { GTIN.digits(of: number, count: 18) }
}
