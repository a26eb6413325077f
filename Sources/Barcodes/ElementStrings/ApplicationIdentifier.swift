/// A GS1 application identifier (AI) that GS1 has assigned: two to four digits that tell what the
/// value behind them means.
public struct ApplicationIdentifier: Hashable, Sendable {
    /// The digits, filled up to four with zeros on the right; no AI starts with another one.
    let key: UInt16
    /// How many digits there are, 2…4.
    let length: UInt8
    /// Its row in the table.
    let row: UInt8

    /// Looks an identifier up.
    ///
    /// - Parameter text: The digits, for instance `01` or `3103`; no brackets.
    public init?(_ text: String) {
        var copy = text
        let found = copy.withUTF8 { Self.lookup(in: $0.span, at: 0) }
        guard let found, Int(found.length) == text.utf8.count else { return nil }
        self = found
    }

    private init(key: Int, length: Int, row: Int) {
        self.key = UInt16(key)
        self.length = UInt8(length)
        self.row = UInt8(row)
    }

    /// Finds the identifier that starts at an offset, or nil where none is assigned.
    static func lookup(in bytes: Span<UInt8>, at start: Int) -> ApplicationIdentifier? {
        guard start + 2 <= bytes.count, bytes[start].isDigit, bytes[start + 1].isDigit else {
            return nil
        }
        let prefix = bytes[start].digitValue * 10 + bytes[start + 1].digitValue
        let entry = Int(ApplicationIdentifierTable.prefixes[prefix])
        let length = entry & 7
        guard length > 0, start + length <= bytes.count else { return nil }
        var tail = 0
        var scale = 100
        for index in start + 2..<start + length {
            guard bytes[index].isDigit else { return nil }
            tail = tail * 10 + bytes[index].digitValue
            scale /= 10
        }
        let row = Int(ApplicationIdentifierTable.numbers[entry >> 3 + tail])
        guard row < 255 else { return nil }
        return ApplicationIdentifier(key: prefix * 100 + tail * scale, length: length, row: row - 1)
    }
}

extension ApplicationIdentifier: CustomStringConvertible {
    /// The digits.
    public var text: String {
        let digits = GTIN.digits(of: UInt64(key), count: 4)
        return String(digits.prefix(Int(length)))
    }

    /// The digits.
    public var description: String { text }

    /// GS1's data title, for instance `BATCH/LOT`; empty for the coupon identifiers 8110 and 8112.
    public var title: String { ApplicationIdentifierTable.titles[Int(row)] }

    /// Whether the value's length is fixed by the first two digits, so that no FNC1 need follow.
    public var hasPredefinedLength: Bool { spec.isPredefined }

    /// Whether it can head a GS1 Digital Link.
    public var isDigitalLinkKey: Bool { spec.isDigitalLinkKey }

    /// Its row in the table, unpacked.
    @inline(__always)
    var spec: ApplicationIdentifierRow {
        ApplicationIdentifierRow(packed: ApplicationIdentifierTable.rows[Int(row)])
    }
}
