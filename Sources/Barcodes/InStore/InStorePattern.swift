/// The layout of a shop's or a region's in-store codes, one letter or digit for each digit.
///
/// Digits stand for themselves; `I` is the item's reference, `P` the price, `W` the weight, `N`
/// the count, `C` the check digit of the price or weight, `K` the check digit of the code. A point
/// shows where the decimals of price or weight start; without one a price has two and a weight
/// three. For instance `22IIIICPPP.PPK`.
public struct InStorePattern: Hashable, Sendable {
    /// What the variable part of a code is.
    enum Measure: Hashable, Sendable {
        case price
        case weight
        case count
    }

    /// The pattern as it was written.
    public let text: String
    /// The pattern without the point.
    let letters: [UInt8]
    /// Where the variable part stands.
    let value: Range<Int>
    /// What the variable part is.
    let measure: Measure
    /// How many of its digits are decimals.
    let decimals: Int

    /// Reads a pattern.
    ///
    /// - Parameter text: 8, 12, 13 or 14 letters and digits, and at most one point.
    /// - Throws: `InStorePatternError`.
    public init(_ text: String) throws(InStorePatternError) {
        for (offset, scalar) in text.unicodeScalars.enumerated()
        where !"0123456789IPWNCK.".unicodeScalars.contains(scalar) {
            throw .wrongCharacter(pattern: text, at: offset)
        }
        let letters = text.utf8.filter { $0 != UInt8(ascii: ".") }
        guard [8, 12, 13, 14].contains(letters.count) else {
            throw .wrongLength(pattern: text, found: letters.count)
        }
        guard letters.last == UInt8(ascii: "K"),
            letters.firstIndex(of: UInt8(ascii: "K")) == letters.count - 1
        else { throw .misplacedCheckDigit(pattern: text) }
        guard let (value, measure) = Self.value(in: letters) else {
            throw .notOneValue(pattern: text)
        }
        self.text = text
        self.letters = letters
        self.value = value
        self.measure = measure
        decimals = try Self.decimals(in: text, value, measure)
        let checks = letters.filter { $0 == UInt8(ascii: "C") }.count
        guard checks == 0 || checks == 1 && (4...5).contains(value.count) else {
            throw .noPriceCheckDigit(pattern: text)
        }
    }

    /// The run of the one letter that stands for a value.
    private static func value(in letters: [UInt8]) -> (Range<Int>, Measure)? {
        let places = letters.indices.filter { "PWN".utf8.contains(letters[$0]) }
        guard let first = places.first, let last = places.last,
            letters[first...last].allSatisfy({ $0 == letters[first] })
        else { return nil }
        let measure: Measure =
            switch letters[first] {
            case UInt8(ascii: "P"): .price
            case UInt8(ascii: "W"): .weight
            default: .count
            }
        return (first..<last + 1, measure)
    }

    private static func decimals(
        in text: String, _ value: Range<Int>, _ measure: Measure
    ) throws(InStorePatternError) -> Int {
        let bytes = Array(text.utf8)
        guard let point = bytes.firstIndex(of: UInt8(ascii: ".")) else {
            let usual = [Measure.price: 2, .weight: 3, .count: 0][measure] ?? 0
            return min(usual, value.count)
        }
        guard measure != .count, bytes.lastIndex(of: UInt8(ascii: ".")) == point,
            value.lowerBound <= point, point <= value.upperBound
        else { throw .misplacedPoint(pattern: text) }
        return value.upperBound - point
    }
}

/// Why a text is no pattern of in-store codes.
public enum InStorePatternError: Error, Equatable, Sendable {
    /// The character at the 0-based offset `at` has no meaning in a pattern.
    case wrongCharacter(pattern: String, at: Int)
    /// The pattern stands for a number of digits that no such code has.
    case wrongLength(pattern: String, found: Int)
    /// The pattern does not end in its only `K`.
    case misplacedCheckDigit(pattern: String)
    /// The pattern has not exactly one run of `P`, `W` or `N`.
    case notOneValue(pattern: String)
    /// The point is not in, ahead of or behind the price or weight, or is not the only one.
    case misplacedPoint(pattern: String)
    /// There are several `C`, or one for a value of other than four or five digits.
    case noPriceCheckDigit(pattern: String)
}

extension InStorePatternError: CustomStringConvertible {
    /// The error as one sentence.
    public var description: String {
        switch self {
        case .wrongCharacter(let pattern, let at):
            "\"\(pattern)\" is no pattern: expected a digit, I, P, W, N, C, K or a point "
                + "at offset \(at), got another character."
        case .wrongLength(let pattern, let found):
            "\"\(pattern)\" is no pattern: expected 8, 12, 13 or 14 digits, got \(found)."
        case .misplacedCheckDigit(let pattern):
            "\"\(pattern)\" is no pattern: expected one K, at the end, got another order."
        case .notOneValue(let pattern):
            "\"\(pattern)\" is no pattern: expected one run of P, W or N, got none or several."
        case .misplacedPoint(let pattern):
            "\"\(pattern)\" is no pattern: expected one point within P or W, got it elsewhere."
        case .noPriceCheckDigit(let pattern):
            "\"\(pattern)\" is no pattern: expected at most one C, for a value of 4 or 5 digits, "
                + "got another."
        }
    }
}
