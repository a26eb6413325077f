/// A Global Trade Item Number: the number of a product, with a correct check digit.
///
/// GTINs of different lengths are equal if they differ only in leading zeros.
public struct GTIN: Hashable, Sendable {
    /// The number including its check digit, below 10^14.
    public let number: UInt64

    /// Creates a GTIN from a number whose check digit the caller has already verified.
    init(unchecked number: UInt64) {
        self.number = number
    }

    /// Creates a GTIN from a number; nil if it has more than 14 digits or a wrong check digit.
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
        guard [8, 12, 13, 14].contains(text.utf8.count) else {
            throw .wrongLength(text: text, found: text.unicodeScalars.count)
        }
        guard let digits = Digits(text) else {
            let at = text.unicodeScalars.enumerated().first { !("0"..."9").contains($0.element) }
            throw .notADigit(text: text, at: at?.offset ?? 0)
        }
        guard digits.isValid else {
            throw .wrongCheckDigit(
                text: text, expected: digits.expectedCheckDigit, found: digits.last)
        }
        number = digits.number
    }
}

extension GTIN: CustomStringConvertible {
    /// The number as 14 digits.
    public var text: String { Self.digits(of: number, count: 14) }

    /// The number as 14 digits.
    public var description: String { text }

    /// The number as 8 digits; nil if it needs more.
    public var gtin8: String? { spelling(8) }

    /// The number as 12 digits; nil if it needs more.
    public var gtin12: String? { spelling(12) }

    /// The number as 13 digits; nil if it needs 14.
    public var gtin13: String? { spelling(13) }

    private func spelling(_ count: Int) -> String? {
        let text = text
        guard text.utf8.dropLast(count).allSatisfy({ $0 == 0x30 }) else { return nil }
        return String(text.suffix(count))
    }

    /// Returns the last `count` decimal digits of a number, padded with zeros on the left.
    static func digits(of number: UInt64, count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.utf8.count))
            + digits.suffix(count)
    }
}

/// UPC-E, the short form of a GTIN-12 with several zeros.
///
/// Rule: GS1 General Specifications, section 5.2.2.4.
extension GTIN {
    /// Expands a UPC-E to the GTIN that it stands for; nil if the text is not a valid UPC-E.
    ///
    /// A UPC-E is the number system (0 or 1), six digits, and the check digit of the expanded number.
    public init?(upcE: String) {
        guard let digits = Digits(upcE), digits.count == 8,
            let gtin = Self.candidates(upcE: digits).first
        else { return nil }
        self = gtin
    }

    /// The number as the 8 digits of a UPC-E; nil if it cannot be compressed.
    public var upcE: String? {
        let digits = Array(Self.digits(of: number, count: 12).utf8)
        // The offsets of the digits to keep, and the last digit, which shows where zeros were left out.
        let forms: [(kept: [Int], mark: String)] = [
            ([0, 1, 2, 8, 9, 10, 3], ""), ([0, 1, 2, 3, 9, 10], "3"), ([0, 1, 2, 3, 4, 10], "4"),
            ([0, 1, 2, 3, 4, 5, 10], ""),
        ]
        return forms.lazy.map { kept, mark in
            String(decoding: kept.map { digits[$0] }, as: UTF8.self) + mark
                + String(number % 10)
        }.first { GTIN(upcE: $0) == self }
    }

    /// Expands a UPC-E's number system and six digits to 12 digits, including the check digit.
    private static func expansion(system: UInt64, body: UInt64) -> UInt64 {
        let last = body % 10
        let expanded: UInt64 =
            switch last {
            case 0...2: (body / 10_000 * 10 + last) * 10_000_000 + body / 10 % 1000
            case 3: body / 1000 * 10_000_000 + body / 10 % 100
            case 4: body / 100 * 1_000_000 + body / 10 % 10
            default: body / 10 * 100_000 + last
            }
        let number = system * 10_000_000_000 + expanded
        return number * 10 + CheckDigit.gs1(forNumber: number)
    }

    /// Returns the GTINs that a UPC-E code of 6 to 8 digits may stand for, likeliest first; empty if none is valid.
    ///
    /// A full code is the number system, six digits and the check digit. Seven digits lack the number system (0) or the
    /// check digit; six digits lack both.
    static func candidates(upcE digits: Digits) -> [GTIN] {
        let number = digits.number
        let (system, last) = (number / (digits.count == 8 ? 10_000_000 : 1_000_000), number % 10)
        switch digits.count {
        case 6: return [GTIN(unchecked: expansion(system: 0, body: number))]
        case 7:
            let whole = system <= 1 ? [expansion(system: system, body: number % 1_000_000)] : []
            let checked = [expansion(system: 0, body: number / 10)].filter { $0 % 10 == last }
            return (whole + checked).map(GTIN.init(unchecked:))
        case 8 where system <= 1:
            let expanded = expansion(system: system, body: number / 10 % 1_000_000)
            return expanded % 10 == last ? [GTIN(unchecked: expanded)] : []
        default: return []
        }
    }
}

/// Why a string is not a GTIN.
public enum GTINError: Error, Equatable, Sendable {
    /// The text has the wrong length; `found` is its length in characters.
    case wrongLength(text: String, found: Int)
    /// The character at the 0-based offset `at` is not an ASCII digit.
    case notADigit(text: String, at: Int)
    /// The last digit is `found`, but the correct check digit is `expected`.
    case wrongCheckDigit(text: String, expected: Int, found: Int)
}

extension GTINError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .wrongLength(let text, let found):
            "\"\(text)\" is not a GTIN: expected 8, 12, 13 or 14 digits, got \(found) characters."
        case .notADigit(let text, let at):
            "\"\(text)\" is not a GTIN: expected a digit at offset \(at), got another character."
        case .wrongCheckDigit(let text, let expected, let found):
            "\"\(text)\" is not a GTIN: expected the check digit \(expected), got \(found)."
        }
    }
}
