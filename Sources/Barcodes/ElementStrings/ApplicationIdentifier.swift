/// A GS1 application identifier (AI): two to four digits that define the meaning of the value after them.
///
/// Every instance is an identifier that GS1 has assigned.
public struct ApplicationIdentifier: Hashable, Sendable {
    /// The identifier's digits, padded with zeros on the right to four digits.
    let key: UInt16
    private let row: UInt8

    /// Looks up an identifier; nil if GS1 has not assigned it.
    ///
    /// - Parameter text: The digits without brackets, for instance `01` or `3103`.
    public init?(_ text: String) {
        guard let found = Self.lookup(in: text.utf8.span, at: 0), found.length == text.utf8.count
        else { return nil }
        self = found
    }

    private init(key: Int, row: UInt8) {
        self.key = UInt16(key)
        self.row = row
    }

    static func lookup(in bytes: Span<UInt8>, at start: Int) -> ApplicationIdentifier? {
        guard start + 2 <= bytes.count, bytes[start].isDigit, bytes[start + 1].isDigit else {
            return nil
        }
        var key = (bytes[start].digitValue * 10 + bytes[start + 1].digitValue) * 100
        let length = length(at: key)
        guard length > 0, start + length <= bytes.count else { return nil }
        var scale = 10
        for index in start + 2..<start + length {
            guard bytes[index].isDigit else { return nil }
            key += bytes[index].digitValue * scale
            scale /= 10
        }
        let row = rows[key]
        return row < .max ? ApplicationIdentifier(key: key, row: row) : nil
    }

    /// Returns the length of an element string that starts with these two digits; nil if they do not determine it.
    ///
    /// Rule: GS1 General Specifications, figure 7.8.5-2.
    static func predefinedLength(_ firstTwoDigits: Int) -> Int? {
        switch firstTwoDigits {
        case 0: 2 + 18
        case 1...3: 2 + 14
        case 4: 2 + 16
        case 11...19: 2 + 6
        case 20: 2 + 2
        case 31...36: 4 + 6
        case 41: 3 + 13
        default: nil
        }
    }

    /// Returns the length of identifiers with the first two digits of `key`; 0 if no identifier has them.
    static func length(at key: Int) -> Int { Int(lengths[key / 100]) }

    private static let lengths = ApplicationIdentifierTable.rows.reduce(
        into: [UInt8](repeating: 0, count: 100)
    ) { lengths, row in
        for key in row.keys { lengths[key / 100] = UInt8(row.length) }
    }

    private static let rows = ApplicationIdentifierTable.rows.enumerated().reduce(
        into: [UInt8](repeating: .max, count: 10_000)
    ) { rows, row in
        for key in row.element.keys { rows[key] = UInt8(row.offset) }
    }
}

extension ApplicationIdentifier: CustomStringConvertible {
    var length: Int { spec.length }

    /// The identifier's digits, for instance `01`.
    public var text: String { String(GTIN.digits(of: UInt64(key), count: 4).prefix(length)) }

    /// The identifier's digits, for instance `01`.
    public var description: String { text }

    /// GS1's data title, for instance `BATCH/LOT`; empty for the coupon identifiers 8110 and 8112.
    public var title: String { spec.title(of: Int(key)) }

    @inline(__always)
    var spec: ApplicationIdentifierRow { ApplicationIdentifierTable.rows[Int(row)] }
}

/// A row of GS1's dictionary: identifiers with the same format.
struct ApplicationIdentifierRow: Sendable {
    private let first: Int
    /// The number of successive identifiers with the same title, such as 6 for 3100 to 3105.
    private let count: Int
    private let titles: StaticString
    let length: Int
    let components: Range<Int>
    let least: Int
    let most: Int
    /// The index at which this row's rules begin in `ApplicationIdentifierTable.rules`.
    let rules: Int
    private let qualifiers: Int
    /// Whether an identifier's first two digits determine the length of the value.
    let isPredefined: Bool
    /// Whether the query of a Digital Link, such as `?17=261231`, may contain these application identifiers.
    let isAttribute: Bool

    init(
        _ first: StaticString, _ titles: StaticString, _ component: Int, parts: Int = 1,
        count: Int = 1, rules: Int = 0, qualifiers: Int = 0, attribute isAttribute: Bool = true
    ) {
        length = first.utf8CodeUnitCount
        let scale = [100, 10, 1][length - 2]
        self.first = (Int(first.description) ?? 0) * scale
        self.count = count
        self.titles = titles
        components = component..<component + parts
        let formats = ApplicationIdentifierTable.components[components]
        least = formats.reduce(0) { $0 + ($1.isOptional ? 0 : $1.length.lowerBound) }
        most = formats.reduce(0) { $0 + $1.length.upperBound }
        self.rules = rules
        self.qualifiers = qualifiers
        isPredefined = ApplicationIdentifier.predefinedLength(self.first / 100) != nil
        self.isAttribute = isAttribute
    }

    /// The GS1 data titles of the identifiers in this row: one title for every `count` identifiers.
    private var allTitles: [Substring] {
        titles.description.split(separator: "|", omittingEmptySubsequences: false)
    }

    private var step: Int { [100, 10, 1][length - 2] }

    /// The distance from one title's first key to the next one's, such as 10 from 3100 (weight) to 3110 (length).
    private var stride: Int { count > 1 ? step * 10 : step }

    var keys: [Int] {
        allTitles.indices.flatMap { title in
            (0..<count).map { first + title * stride + $0 * step }
        }
    }

    func title(of key: Int) -> String { String(allTitles[(key - first) / stride]) }

    /// Whether each identifier in this row can be the primary key of a Digital Link.
    var isKey: Bool { qualifiers > 0 }

    var qualifierSequences: [[UInt16]] { ApplicationIdentifierTable.qualifiers[qualifiers] }

    /// Whether several identifiers share each title, as 3100 to 3105 share `NET WEIGHT (kg)`.
    var isOneOfSeveral: Bool { count > 1 }
}

/// The format of one part of an application identifier's value.
struct GS1Component: Sendable {
    let characters: ContentRule
    let length: ClosedRange<Int>
    let checks: [ContentRule]
    let isOptional: Bool

    /// Parses the notation of GS1's dictionary: `N6,yymmd0`, or `[X..17]` for an optional part.
    init(_ notation: some StringProtocol) {
        isOptional = notation.hasPrefix("[")
        let words = notation.split { ",[]".contains($0) }
        let most = Int(words[0].drop { !$0.isNumber }) ?? 0
        length = (words[0].contains(".") ? 1 : most)...most
        let sets: [Character: ContentRule] = ["X": .cset82, "Y": .cset39, "Z": .cset64]
        characters = words[0].first.flatMap { sets[$0] } ?? .csetnumeric
        checks = words.dropFirst().compactMap { ContentRule(rawValue: String($0)) }
    }
}
