/// The layout of a shop's or region's in-store codes, with one letter or digit for each digit of the code.
///
/// A digit matches itself. The letters stand for the digits of the item's number (`I`), the price (`P`), the weight
/// (`W`), the count (`N`), the check digit of one of these values (`C`), the code's own check digit (`K`), and any
/// digit (`X`). A decimal point shows where the decimals of a price or weight start; without one, a price has two
/// decimals and a weight three. Examples: `22IIIICPPP.PPK`; for a label in Code 128, `21IIIIIWW.WWWPPPP.PP`.
public struct InStorePattern: Hashable, Sendable {
    enum Measure: Character, Hashable, Sendable {
        case price = "P"
        case weight = "W"
        case count = "N"
    }

    struct Value: Hashable, Sendable {
        let measure: Measure
        let places: Range<Int>
        let decimals: Int
    }

    /// The pattern as written in the settings.
    public let text: String
    /// The pattern without decimal points; a UPC-A pattern gets a leading 0.
    let letters: [UInt8]
    /// The values in the code (one or two of price, weight and count), in the pattern's order.
    let values: [Value]
    /// The value whose check digit is `C`; nil if the pattern has no `C`.
    let checked: Value?

    var hasCheckDigit: Bool { letters.last == "K" }
    /// Whether the pattern is for retail numbers, such as those in EAN-13 symbols.
    var isRetailNumber: Bool { hasCheckDigit && letters.count <= 14 }

    private static let lengths = [8, 12, 13, 14, 18, 20]

    /// Parses a pattern.
    ///
    /// - Parameter text: 8, 12, 13, 14, 18 or 20 letters and digits; each price or weight may have one decimal point.
    /// - Throws: `InStorePatternError` if the text is not a pattern.
    public init(_ text: String) throws(InStorePatternError) {
        for (offset, scalar) in text.unicodeScalars.enumerated()
        where !"0123456789IPWNCXK.".unicodeScalars.contains(scalar) {
            throw .wrongCharacter(pattern: text, at: offset)
        }
        let count = text.utf8.count { $0 != "." }
        guard Self.lengths.contains(count) else { throw .wrongLength(pattern: text, found: count) }
        guard !text.dropLast().contains("K") else { throw .misplacedCheckDigit(pattern: text) }
        let parts = (count == 12 && text.last == "K" ? "0" + text : text)
            .split(separator: ".", omittingEmptySubsequences: false).map { Array($0.utf8) }
        var points: [Int] = []
        for part in parts.dropLast() { points.append((points.last ?? 0) + part.count) }
        self.text = text
        letters = Array(parts.joined())
        values = try Self.values(in: letters, points, text)
        checked = try Self.checked(in: letters, values, text)
    }

    /// Finds the runs of `P`, `W` or `N` and their decimal points.
    private static func values(
        in letters: [UInt8], _ points: [Int], _ text: String
    ) throws(InStorePatternError) -> [Value] {
        var values: [Value] = []
        var points = points
        var start = 0
        for end in 1...letters.count where end == letters.count || letters[end] != letters[start] {
            let letter = Character(UnicodeScalar(letters[start]))
            if let measure = Measure(rawValue: letter) {
                let own = points.filter { start <= $0 && $0 <= end && measure != .count }
                guard own.count <= 1 else { throw .misplacedPoint(pattern: text) }
                points.removeAll { own.contains($0) }
                let usual = min([.price: 2, .weight: 3][measure] ?? 0, end - start)
                values.append(
                    Value(
                        measure: measure, places: start..<end,
                        decimals: own.first.map { end - $0 } ?? usual))
            }
            start = end
        }
        guard (1...2).contains(values.count), values.allSatisfy({ $0.places.count <= 9 }),
            Set(values.map(\.measure)).count == values.count
        else { throw .wrongValues(pattern: text) }
        guard points.isEmpty else { throw .misplacedPoint(pattern: text) }
        return values
    }

    /// Returns the value whose check digit is `C`; nil if the pattern has no `C`.
    private static func checked(
        in letters: [UInt8], _ values: [Value], _ text: String
    ) throws(InStorePatternError) -> Value? {
        let places = letters.indices.filter { letters[$0] == "C" }
        guard let place = places.first else { return nil }
        let value =
            values.count == 1
            ? values.first
            : values.first { $0.places.lowerBound == place + 1 }
                ?? values.first { $0.places.upperBound == place }
        guard places.count == 1, let value, (4...5).contains(value.places.count) else {
            throw .noPriceCheckDigit(pattern: text)
        }
        return value
    }
}

/// Why a string is not a pattern for in-store codes.
public enum InStorePatternError: Error, Equatable, Sendable {
    /// The character at the 0-based offset `at` has no meaning in a pattern.
    case wrongCharacter(pattern: String, at: Int)
    /// The pattern has `found` digits, a length that in-store codes never have.
    case wrongLength(pattern: String, found: Int)
    /// A `K` comes before the last position.
    case misplacedCheckDigit(pattern: String)
    /// The pattern has none or all of `P`, `W` and `N`, or has one of them in several runs or more than nine times.
    case wrongValues(pattern: String)
    /// A decimal point is outside the price and the weight, or one of them has two points.
    case misplacedPoint(pattern: String)
    /// The check digit of a value (`C`) occurs more than once, or has no value of four or five digits to check.
    case noPriceCheckDigit(pattern: String)
}

extension InStorePatternError: CustomStringConvertible {
    /// The error as a sentence.
    public var description: String {
        switch self {
        case .wrongCharacter(let pattern, let at):
            "\"\(pattern)\" is not a pattern: expected a digit, I, P, W, N, C, X, K or a point "
                + "at offset \(at), got another character."
        case .wrongLength(let pattern, let found):
            "\"\(pattern)\" is not a pattern: expected 8, 12, 13, 14, 18 or 20 digits, got \(found)."
        case .misplacedCheckDigit(let pattern):
            "\"\(pattern)\" is not a pattern: expected K at the end or not at all, got it elsewhere."
        case .wrongValues(let pattern):
            "\"\(pattern)\" is not a pattern: expected one or two of P, W and N, each one run of at "
                + "most 9, got something else."
        case .misplacedPoint(let pattern):
            "\"\(pattern)\" is not a pattern: expected at most one point in each P and W, got another."
        case .noPriceCheckDigit(let pattern):
            "\"\(pattern)\" is not a pattern: expected at most one C, beside a value of 4 or 5 digits, "
                + "got another."
        }
    }
}
