import WireText

/// A GS1 element string: an application identifier and its value.
///
/// Two elements are equal if their identifiers and values are equal; their positions in the text do not matter.
public struct GS1Element: Sendable {
    /// The identifier, which defines the meaning of the value.
    public let applicationIdentifier: ApplicationIdentifier
    /// The value, without the application identifier.
    public let value: String
    /// The range of the value in the text, in bytes.
    let source: Range<Int>
    private let violations: [Problem.Code]

    /// Creates an element string without checking its value.
    public init(_ applicationIdentifier: ApplicationIdentifier, _ value: String) {
        self.init(applicationIdentifier, value, source: 0..<0)
    }

    init(
        _ applicationIdentifier: ApplicationIdentifier, _ value: String, source: Range<Int>,
        breaking violations: [Problem.Code] = []
    ) {
        self.violations = violations
        self.applicationIdentifier = applicationIdentifier
        self.value = value
        self.source = source
    }

    package var isSound: Bool { violations.isEmpty }

    /// Whether the value's check digit is correct; nil if none could be checked.
    var checkDigit: CheckDigitVerdict? {
        guard applicationIdentifier.hasCheckDigit else { return nil }
        if violations.contains(.wrongCheckDigit) { return .invalid }
        return violations.contains { [.wrongLength, .wrongCharacter].contains($0) } ? nil : .valid
    }

    /// The 2 to 4 digits of the application identifier.
    public var ai: String { applicationIdentifier.text }

    /// The data title of the application identifier, for instance `BATCH/LOT`.
    public var title: String { applicationIdentifier.title }
}

extension GS1Element: Hashable {
    /// Compares identifiers and values, but not positions in the text.
    public static func == (lhs: GS1Element, rhs: GS1Element) -> Bool {
        lhs.applicationIdentifier == rhs.applicationIdentifier && lhs.value == rhs.value
    }

    /// Hashes the identifier and the value, but not the position in the text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(applicationIdentifier)
        hasher.combine(value)
    }
}

extension GS1Element {
    /// The value as a decimal number; nil if it is not a number, or if its identifier does not specify how many
    /// decimal places it has.
    ///
    /// The identifiers of measures (31nn to 36nn) and of amounts and prices (390n to 395n) end in the number of
    /// decimal places. A currency before the amount is left out.
    ///
    /// Rule: GS1 General Specifications, sections 3.6 and 3.7.
    public var decimal: DecimalNumber? {
        let key = applicationIdentifier.key
        guard (3100..<3700).contains(key) || (3900..<3960).contains(key) else { return nil }
        let digits = value.dropFirst(hasCurrency ? 3 : 0)
        guard digits.utf8.allSatisfy(\.isDigit), let significand = UInt64(digits) else {
            return nil
        }
        return DecimalNumber(significand: significand, decimals: Int(key % 10))
    }

    /// The currency in an amount or price, as three digits (ISO 4217); nil if the element has no currency.
    public var currency: String? {
        guard hasCurrency, value.utf8.count > 3, value.utf8.allSatisfy(\.isDigit) else {
            return nil
        }
        return String(value.prefix(3))
    }

    private var hasCurrency: Bool {
        [391, 393].contains(applicationIdentifier.key / 10)
    }

    /// Converts the date at the start of the value to ISO 8601 format.
    ///
    /// A two-digit year stands for a year from 49 years before to 50 years after the current year.
    ///
    /// - Parameter currentYear: The year used to choose the century of a two-digit year.
    /// - Returns: `2026-12-31`, or `2026-12` if the day is 00; nil if the value contains no date, or an invalid one.
    ///
    /// Rule: GS1 General Specifications, section 7.12.
    public func date(currentYear: Int) -> String? {
        let component = ApplicationIdentifierTable.components[
            applicationIdentifier.spec.components.lowerBound]
        let length = component.checks.first == .yyyymmdd ? 8 : 6
        guard length == 8 || applicationIdentifier.hasDate, value.utf8.count >= length else {
            return nil
        }
        return Self.date(String(value.prefix(length)), currentYear: currentYear)
    }

    /// Converts YYMMDD or YYYYMMDD to ISO 8601 format; nil if the date is not valid.
    static func date(_ text: String, currentYear: Int) -> String? {
        guard (100...9900).contains(currentYear), let digits = Digits(text),
            digits.count == 6 || digits.count == 8
        else { return nil }
        var year = Int(digits.number) / 10_000
        if digits.count == 6 {
            let difference = year - currentYear % 100
            year += currentYear / 100 * 100
            if difference >= 51 { year -= 100 }
            if difference <= -50 { year += 100 }
        }
        return date(year, month: digits.number / 100 % 100, day: digits.number % 100)
    }

    private static func date(_ year: Int, month: UInt64, day: UInt64) -> String? {
        guard
            CivilDate(year: Int64(year), month: Int64(month), day: Int64(max(1, day))) != nil
        else { return nil }
        let parts = [
            GTIN.digits(of: UInt64(year), count: 4), GTIN.digits(of: month, count: 2),
            day == 0 ? nil : GTIN.digits(of: day, count: 2),
        ]
        return parts.compactMap(\.self).joined(separator: "-")
    }
}

/// The GS1 element strings of a code.
public struct GS1Message: Hashable, Sendable {
    /// The element strings, in the order in which they appear in the code.
    public var elements: [GS1Element]

    /// Creates a message from element strings, without checking them.
    public init(elements: [GS1Element]) {
        self.elements = elements
    }

    /// The value of the first element string with the given application identifier, such as `10`.
    ///
    /// Nil if there is no such element, or if its check digit is wrong; ``elements`` still contains the wrong value.
    public subscript(ai: String) -> String? {
        guard let wanted = ApplicationIdentifier(ai),
            let element = elements.first(where: { $0.applicationIdentifier == wanted }),
            element.checkDigit != .invalid
        else { return nil }
        return element.value
    }

    /// The human-readable form: `(01)09506000134352(10)LOT-7`.
    ///
    /// An opening bracket inside a value is written as `\(`, so that it does not look like the start of an identifier.
    public var bracketed: String {
        elements.map { element in
            let value = element.value.utf8.flatMap { $0 == "(" ? Array("\\(".utf8) : [$0] }
            return "(\(element.ai))" + String(decoding: value, as: UTF8.self)
        }.joined()
    }

    /// The canonical GS1 Digital Link of the elements.
    ///
    /// The first element that can be a primary key becomes the key. Its qualifiers follow in the standard order, and
    /// the others go into the query, sorted by identifier; repeated identifiers are skipped. The link is nil if there
    /// is no key, if decoding found its value invalid, or if an element belongs neither in the path nor in the query.
    ///
    /// Rule: GS1 Digital Link Standard: URI Syntax, section 4.
    public var digitalLink: String? {
        guard let key, key.isSound else { return nil }
        let path = [key] + qualifiers(of: key.applicationIdentifier)
        let query = elements.filter { element in !path.contains { $0.ai == element.ai } }
        guard query.allSatisfy(\.applicationIdentifier.spec.isAttribute) else { return nil }
        var uri = "https://id.gs1.org"
        for element in path {
            uri += "/\(element.ai)/\(PercentEncoding.encoded(element.value))"
        }
        var seen: Set<ApplicationIdentifier> = []
        for element in query.sorted(by: { $0.ai < $1.ai })
        where seen.insert(element.applicationIdentifier).inserted {
            uri += seen.count == 1 ? "?" : "&"
            uri += "\(element.ai)=\(PercentEncoding.encoded(element.value))"
        }
        return uri
    }

    var key: GS1Element? { elements.first { $0.applicationIdentifier.spec.isKey } }

    /// Returns the elements that qualify the key, such as a batch, in the permitted sequence that uses the most.
    private func qualifiers(of key: ApplicationIdentifier) -> [GS1Element] {
        let choices = key.spec.qualifierSequences.map { sequence in
            sequence.compactMap { qualifier in
                elements.first { $0.applicationIdentifier.key == qualifier }
            }
        }
        return choices.reduce([]) { $1.count > $0.count ? $1 : $0 }
    }
}
