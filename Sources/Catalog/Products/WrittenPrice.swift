import Foundation

package enum DecimalMark: String, Sendable, CaseIterable {
    case point, comma

    /// The mark that groups thousands if this one is the decimal mark.
    fileprivate var other: DecimalMark { self == .point ? .comma : .point }
}

extension UInt8 {
    var isDigit: Bool { (0x30...0x39).contains(self) }
    var isMark: Bool { self == UInt8(ascii: ".") || self == UInt8(ascii: ",") }
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self & 0xDF) && self < 0x80 }
}

/// The decimal mark of a file's prices, specified by the user or inferred from all prices.
///
/// `1.999` alone is ambiguous. After the last row, ambiguous prices are read with the decimal mark of the file's other
/// prices. They stay ambiguous if there are no others, or if those contradict each other.
struct PriceNotation: Sendable {
    /// The decimal mark that the user specified; nil to infer it.
    let given: DecimalMark?
    private var seen: Set<DecimalMark> = []

    init(given: DecimalMark? = nil) { self.given = given }

    /// Reads a cell's price; if its point or comma is ambiguous, the amount is `?` and the text, to be read later.
    mutating func read(
        _ text: String, column: Currency?, fallback: Currency?
    ) throws(PriceError) -> ProductDraft.Price {
        let written = try WrittenPrice(
            text, column: column, fallback: fallback, decimalMark: given)
        if let mark = written.number.evidence { seen.insert(mark) }
        let isOpen = written.number.openMark != nil
        let amount = isOpen ? "?" + text : Price(written.number, currency: written.currency).amount
        return .init(amount: amount, currency: written.currency)
    }

    /// Reads an ambiguous price again when all rows have been read; throws if it is still ambiguous.
    func price(reading text: String, in currency: Currency?) throws(PriceError) -> Price {
        let mark = given ?? (seen.count == 1 ? seen.first : nil)
        return try WrittenPrice(text, column: currency, fallback: nil, decimalMark: mark).price()
    }
}

struct WrittenPrice {
    private let text: String
    fileprivate let number: WrittenNumber
    fileprivate let currency: Currency

    /// Converts digits, spaces and hyphens to ASCII, and removes invisible non-ASCII characters.
    private static func plain(_ text: String) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
        let plain = text.unicodeScalars.compactMap { scalar -> Unicode.Scalar? in
            switch scalar {
            case "\u{2019}", "\u{2BC}", "\u{B4}": "'"
            case "\u{2010}"..."\u{2015}", "\u{2212}": "-"
            default: VisibleText.plain(scalar)
            }
        }
        return Array(String(String.UnicodeScalarView(plain)).utf8)
    }

    init(
        _ text: String, column: Currency?, fallback: Currency?, decimalMark: DecimalMark? = nil
    ) throws(PriceError) {
        let bytes = Self.plain(text)
        let (digits, sign) = try Self.parts(of: bytes, text)
        var number = try WrittenNumber(digits, decimalMark: decimalMark, text: text)
        let known = column ?? fallback
        if sign.isEmpty {
            guard let known else { throw .noCurrency(text: text) }
            currency = known
        } else {
            currency = try Currency.named(sign, in: text, known: known)
            if let column, currency != column {
                throw .otherCurrency(text: text, found: currency, column: column)
            }
            // Someone who writes the currency probably also groups digits in its usual way.
            if let mark = number.openMark, Self.groupMarks[currency.code] == mark {
                number = number.reading(openMarkAs: mark.other)
            }
        }
        (self.text, self.number) = (text, number)
    }

    /// The thousands separators of currencies that are usually written without decimals, by currency code.
    private static let groupMarks: [String: DecimalMark] = [
        "IDR": .point, "VND": .point, "CLP": .point, "COP": .point, "PYG": .point, "ISK": .point,
        "JPY": .comma, "KRW": .comma,
    ]

    /// Returns the price; throws if its point or comma may mark either decimals or thousands.
    func price() throws(PriceError) -> Price {
        // For a currency with three decimals, a point is the decimal mark, unless the file shows otherwise.
        let isUsual = currency.minorDigits == 3 && number.openMark == .point
        guard number.openMark == nil || isUsual else { throw .ambiguous(text: text) }
        return Price(isUsual ? number.reading(openMarkAs: .point) : number, currency: currency)
    }

    /// Splits a price into its number and the currency before or after it.
    private static func parts(
        of bytes: [UInt8], _ text: String
    ) throws(PriceError) -> (digits: ArraySlice<UInt8>, currency: String) {
        guard var first = bytes.firstIndex(where: \.isDigit),
            let last = bytes.lastIndex(where: \.isDigit)
        else { throw .notANumber(text: text) }
        // `.5` and `$.5` begin with their decimal mark; the point of `Fr.1` belongs to the currency.
        if first > 0, bytes[first - 1].isMark, first < 2 || !bytes[first - 2].isLetter {
            first -= 1
        }
        var rest = bytes[(last + 1)...]
        // `1.–` and `1,--` have dashes instead of decimals.
        if rest.first?.isMark == true, rest.dropFirst().first == hyphen {
            rest = rest.dropFirst().drop { $0 == hyphen }
        }
        guard !bytes[..<first].contains(hyphen), !rest.contains(hyphen) else {
            throw .negative(text: text)
        }
        let (front, back) = (trimmed(bytes[..<first]), trimmed(rest))
        let currency = front.isEmpty ? back : front
        let isName = currency.utf8.contains { $0 >= 0x80 || $0 == UInt8(ascii: "$") || $0.isLetter }
        guard front.isEmpty || back.isEmpty, currency.isEmpty || isName else {
            throw .notANumber(text: text)
        }
        return (bytes[first...last], currency)
    }

    private static let hyphen = UInt8(ascii: "-")

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        guard !bytes.isEmpty else { return "" }
        return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }
}

/// A number as people write it, split into its whole digits and its decimals.
///
/// | written | whole | decimals | meaning |
/// |---|---|---|---|
/// | `1299.5`, `1,299.50`, `1'299.50` | 1299 | 5, 50 | the point is the decimal mark |
/// | `1299,5`, `1.299,50`, `1 299,50` | 1299 | 5, 50 | the comma is the decimal mark |
/// | `1.299.000`, `12,34,567` | 1299000, 1234567 | | a repeated mark groups thousands; the decimal mark is the other |
/// | `1 299`, `1'299`, `1299` | 1299 | | the number does not show the decimal mark |
/// | `1.299`, `1,299` | 1 or 1299 | 299 or none | ambiguous, unless the file's decimal mark is known |
struct WrittenNumber {
    private var digits: [UInt8] = []
    private var wholeCount = 0
    /// `evidence` is the decimal mark that the number reveals, such as the point in `1,299.50`; `openMark` is a mark
    /// that may separate decimals or thousands, such as the point in `1.299`.
    private(set) var evidence, openMark: DecimalMark?

    private typealias Mark = (byte: UInt8, at: Int)

    /// Parses a number; `decimalMark` is the file's decimal mark, or nil if it is not known yet.
    init(
        _ bytes: ArraySlice<UInt8>, decimalMark: DecimalMark?, text: String
    ) throws(PriceError) {
        var marks: [Mark] = []
        digits.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte.isDigit {
                digits.append(byte)
            } else if byte.isMark || byte == UInt8(ascii: "'") || byte == 0x20 {
                marks.append((byte, digits.count))
            } else {
                throw .notANumber(text: text)
            }
        }
        wholeCount = digits.count
        if let last = marks.last { try split(marks, last, decimalMark, text) }
        guard wholeCount <= 12, digits.count - wholeCount <= 6 else { throw .tooLong(text: text) }
    }

    /// Decides which marks group thousands, and whether the last one is the decimal mark.
    private mutating func split(
        _ marks: [Mark], _ last: Mark, _ decimalMark: DecimalMark?, _ text: String
    ) throws(PriceError) {
        let mark: DecimalMark? =
            last.byte.isMark ? last.byte == UInt8(ascii: ",") ? .comma : .point : nil
        // A mark that occurs several times groups thousands.
        let isDecimal = mark != nil && !marks.dropLast().contains { $0.byte == last.byte }
        if isDecimal, marks.count == 1, mark != decimalMark, mayGroup(last.at) {
            openMark = decimalMark == nil ? mark : nil
            return
        }
        if isDecimal { wholeCount = last.at }
        guard isGrouped(isDecimal ? marks.dropLast() : marks[...]) else {
            throw .thousandsSeparator(text: text)
        }
        evidence = isDecimal ? mark : mark?.other
        if let evidence, let decimalMark, evidence != decimalMark {
            throw .otherDecimalMark(text: text, expected: decimalMark)
        }
    }

    /// Whether a single mark at this position may group thousands, as in `1.999`.
    private func mayGroup(_ position: Int) -> Bool {
        digits.count - position == 3 && (1...3).contains(position) && digits[0] != 0x30
    }

    /// Whether the marks are valid thousands separators: all the same character, with regular groups between them.
    ///
    /// The first group has one to three digits, and the others have three. With commas, the groups between the first
    /// and the last may instead have two digits each, as in `12,34,567`.
    private func isGrouped(_ marks: ArraySlice<Mark>) -> Bool {
        guard let first = marks.first else { return true }
        let ends = marks.dropFirst().map(\.at) + [wholeCount]
        let lengths = zip(marks, ends).map { $1 - $0.at }
        let usual = first.byte == UInt8(ascii: ",") ? [2, 3] : [3]
        return marks.allSatisfy { $0.byte == first.byte } && (1...3).contains(first.at)
            && lengths.last == 3
            && usual.contains { length in lengths.dropLast().allSatisfy { $0 == length } }
    }

    /// Returns a copy in which ``openMark``, as in `1.999`, is decimal if it is `decimalMark`, else groups thousands.
    func reading(openMarkAs decimalMark: DecimalMark) -> WrittenNumber {
        var number = self
        if openMark == decimalMark { number.wholeCount = digits.count - 3 }
        number.openMark = nil
        return number
    }

    /// Returns the number as text with at least `minimumDecimals` decimals and no needless zeros.
    func canonical(minimumDecimals: Int) -> String {
        let whole = digits[..<wholeCount].drop { $0 == 0x30 }
        var decimals = digits[wholeCount...]
        while decimals.count > minimumDecimals, decimals.last == 0x30 { decimals.removeLast() }
        decimals += repeatElement(0x30, count: max(minimumDecimals - decimals.count, 0))
        let text = (whole.isEmpty ? [0x30] : whole) + (decimals.isEmpty ? [] : [0x2E]) + decimals
        return String(decoding: text, as: UTF8.self)
    }
}
