/// A Global Trade Item Number: a product's number, whose check digit is known to be right.
///
/// GTIN-8, GTIN-12, GTIN-13 and GTIN-14 are one set of numbers: the shorter ones are the longer
/// ones with zeros on the left. Two spellings of one number are hence equal.
public struct GTIN: Hashable, Sendable {
    /// The number, below 10^14, check digit included.
    public let number: UInt64

    /// A number known to end in its check digit.
    init(unchecked number: UInt64) {
        self.number = number
    }

    /// Takes a number whose last digit is its check digit.
    ///
    /// - Parameter number: Below 10^14, check digit included.
    public init?(number: UInt64) {
        guard number < 100_000_000_000_000,
            CheckDigit.gs1(forNumber: number / 10) == number % 10
        else { return nil }
        self.number = number
    }

    /// Reads a GTIN and checks its last digit.
    ///
    /// - Parameter text: 8, 12, 13 or 14 ASCII digits; no spaces, no AIM identifier.
    /// - Throws: `GTINError.wrongLength`, `.notADigit` (0-based offset in `text`) or
    ///   `.wrongCheckDigit` (expected and found).
    ///
    /// Rule: GS1 General Specifications, sections 7.9.1 (check digit) and 4.14 (14-digit format).
    public init(_ text: String) throws(GTINError) {
        let number = try Self.number(text, lengths: [8, 12, 13, 14])
        let expected = CheckDigit.gs1(forNumber: number / 10)
        guard expected == number % 10 else {
            throw .wrongCheckDigit(text: text, expected: Int(expected), found: Int(number % 10))
        }
        self.number = number
    }

    /// The number in a text of digits.
    static func number(_ text: String, lengths: [Int]) throws(GTINError) -> UInt64 {
        guard lengths.contains(text.utf8.count) else {
            throw .wrongLength(text: text, found: text.unicodeScalars.count)
        }
        var number: UInt64 = 0
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            guard ("0"..."9").contains(scalar) else { throw .notADigit(text: text, at: offset) }
            number = number * 10 + UInt64(scalar.value - 0x30)
        }
        return number
    }
}

extension GTIN: CustomStringConvertible {
    /// The number as 14 digits.
    public var text: String { Self.digits(of: number, count: 14) }

    /// The number as 14 digits.
    public var description: String { text }

    /// The number as 8 digits, or nil where it needs more.
    public var gtin8: String? { spelling(8) }

    /// The number as 12 digits, or nil where it needs more.
    public var gtin12: String? { spelling(12) }

    /// The number as 13 digits, or nil where it needs 14.
    public var gtin13: String? { spelling(13) }

    private func spelling(_ count: Int) -> String? {
        let text = text
        guard text.utf8.dropLast(count).allSatisfy({ $0 == 0x30 }) else { return nil }
        return String(text.suffix(count))
    }

    /// A number in decimal, padded with zeros on the left or cut on the left.
    static func digits(of number: UInt64, count: Int) -> String {
        String(unsafeUninitializedCapacity: count) { buffer in
            var rest = number
            for index in stride(from: count - 1, through: 0, by: -1) {
                buffer[index] = UInt8(0x30 + rest % 10)
                rest /= 10
            }
            return count
        }
    }
}

/// Why a text is no GTIN.
public enum GTINError: Error, Equatable, Sendable {
    /// The text has another length than those allowed; `found` is its length in characters.
    case wrongLength(text: String, found: Int)
    /// The character at the 0-based offset `at` is no ASCII digit.
    case notADigit(text: String, at: Int)
    /// The last digit is not the one the others call for.
    case wrongCheckDigit(text: String, expected: Int, found: Int)
    /// A UPC-E starts with a number system other than 0 or 1.
    case wrongNumberSystem(text: String, found: Int)
}

extension GTINError: CustomStringConvertible {
    /// The error as one sentence.
    public var description: String {
        switch self {
        case .wrongLength(let text, let found):
            "\"\(text)\" is no GTIN: expected 8, 12, 13 or 14 digits, got \(found) characters."
        case .notADigit(let text, let at):
            "\"\(text)\" is no GTIN: expected a digit at offset \(at), got another character."
        case .wrongCheckDigit(let text, let expected, let found):
            "\"\(text)\" is no GTIN: expected the check digit \(expected), got \(found)."
        case .wrongNumberSystem(let text, let found):
            "\"\(text)\" is no UPC-E: expected the number system 0 or 1, got \(found)."
        }
    }
}
