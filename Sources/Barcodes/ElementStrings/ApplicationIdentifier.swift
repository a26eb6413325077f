/// A GS1 application identifier (AI) that GS1 has assigned: two to four digits that tell what the
/// value after them means.
public struct ApplicationIdentifier: Hashable, Sendable {
    /// The digits, filled up to four with zeros on the right; no AI starts with another one.
    let key: UInt16
    private let row: UInt8

    /// Looks an identifier up.
    ///
    /// - Parameter text: The digits, for instance `01` or `3103`; no brackets.
    public init?(_ text: String) {
        guard let found = Self.lookup(in: text.utf8.span, at: 0), found.length == text.utf8.count
        else { return nil }
        self = found
    }

    private init(key: Int, row: UInt8) {
        self.key = UInt16(key)
        self.row = row
    }

    /// Finds the identifier that starts at an offset, or nil if none is assigned.
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

    /// How many digits the identifiers have that start with the first two of a key; 0 for none.
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

    /// The digits.
    public var text: String { String(GTIN.digits(of: UInt64(key), count: 4).prefix(length)) }

    /// The digits.
    public var description: String { text }

    /// GS1's data title, for instance `BATCH/LOT`; empty for the coupon identifiers 8110 and 8112.
    public var title: String { spec.title.description }

    @inline(__always)
    var spec: ApplicationIdentifierRow { ApplicationIdentifierTable.rows[Int(row)] }
}

/// A row of GS1's dictionary: identifiers of one format.
struct ApplicationIdentifierRow: Sendable {
    let keys: StrideTo<Int>
    let isOneOfSeveral: Bool
    let length: Int
    let title: StaticString
    let components: Range<Int>
    let least: Int
    let most: Int
    /// Where its rules start: what it must not come with, and what it must.
    let rules: Int
    private let qualifiers: Int
    /// Whether the first two digits fix the value's length, so that no FNC1 need follow.
    let isPredefined: Bool
    /// Whether it may stand in the query of a Digital Link.
    let isAttribute: Bool
    let isKey: Bool

    init(
        _ first: Int, _ length: Int, _ title: StaticString, _ component: Int,
        _ characters: ClosedRange<Int>, parts: Int = 1, count: Int = 1, rules: Int = 0,
        qualifiers: Int = 0, fixed isPredefined: Bool = false, attribute isAttribute: Bool = true,
        key isKey: Bool = false
    ) {
        let step = [100, 10, 1][length - 2]
        keys = stride(from: first, to: first + count * step, by: step)
        isOneOfSeveral = count > 1
        self.length = length
        self.title = title
        components = component..<component + parts
        least = characters.lowerBound
        most = characters.upperBound
        self.rules = rules
        self.qualifiers = qualifiers
        self.isPredefined = isPredefined
        self.isAttribute = isAttribute
        self.isKey = isKey
    }

    /// The sequences of qualifiers of a Digital Link key, each in its order.
    var qualifierSequences: [[UInt16]] { ApplicationIdentifierTable.qualifiers[qualifiers] }
}

struct GS1Component: Sendable {
    let characters: ContentRule
    let least: Int
    let most: Int
    let first: ContentRule?
    let second: ContentRule?
    let third: ContentRule?
    let isOptional: Bool

    init(
        _ characters: ContentRule, _ length: ClosedRange<Int>, _ first: ContentRule? = nil,
        _ second: ContentRule? = nil, _ third: ContentRule? = nil, isOptional: Bool = false
    ) {
        self.characters = characters
        least = length.lowerBound
        most = length.upperBound
        self.first = first
        self.second = second
        self.third = third
        self.isOptional = isOptional
    }
}
