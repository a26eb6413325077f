/// The sign ahead of the decimals of a number.
package enum DecimalMark: String, Sendable, CaseIterable {
    case point, comma

    fileprivate init?(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "."): self = .point
        case UInt8(ascii: ","): self = .comma
        default: return nil
        }
    }

    /// The sign that groups thousands then.
    var other: DecimalMark { self == .point ? .comma : .point }
}

/// The digits of a number as people write it; nothing in between that could round it.
///
/// | written | whole | decimals | |
/// |---|---|---|---|
/// | `1299.5`, `1,299.50`, `1'299.50` | 1299 | 5, 50 | the point is the decimal sign |
/// | `1299,5`, `1.299,50`, `1 299,50` | 1299 | 5, 50 | the comma is |
/// | `1.299.000`, `12,34,567` | 1299000, 1234567 | | the other sign is |
/// | `1 299`, `1'299`, `1299` | 1299 | | says nothing |
/// | `1.299`, `1,299` | 1 or 1299 | 299 or none | open, unless the file's decimal sign is known |
struct WrittenNumber: Equatable {
    /// All digits.
    private var digits: [UInt8] = []
    /// How many of them are ahead of the decimal sign.
    private var wholeCount = 0
    /// The decimal sign of the file, as far as this number shows it.
    private(set) var evidence: DecimalMark?
    /// The sign that may be the decimal one or may group thousands.
    private(set) var openMark: DecimalMark?

    /// Reads digits with signs between them.
    init(
        _ bytes: ArraySlice<UInt8>, decimalMark: DecimalMark? = nil, text: String
    ) throws(PriceError) {
        var marks: [(byte: UInt8, at: Int)] = []
        digits.reserveCapacity(bytes.count)
        for byte in bytes {
            if (0x30...0x39).contains(byte) {
                digits.append(byte)
            } else if Self.marks.contains(byte) {
                marks.append((byte, digits.count))
            } else {
                throw .notANumber(text: text)
            }
        }
        wholeCount = digits.count
        if let last = marks.last {
            try split(marks, at: last, decimalMark, text)
        }
        guard wholeCount <= 12, digits.count - wholeCount <= 6 else { throw .tooLong(text: text) }
    }

    private static let marks = Array(".,' ".utf8)

    /// Decides what the signs between the digits are.
    private mutating func split(
        _ marks: [(byte: UInt8, at: Int)], at last: (byte: UInt8, at: Int),
        _ decimalMark: DecimalMark?, _ text: String
    ) throws(PriceError) {
        let grouping = marks.dropLast()
        guard let mark = DecimalMark(last.byte), grouping.allSatisfy({ $0.byte != last.byte })
        else {
            // The same sign throughout groups thousands.
            guard isGrouped(marks[...], upTo: digits.count) else {
                throw .thousandsSeparator(text: text)
            }
            evidence = DecimalMark(last.byte)?.other
            return try check(decimalMark, text)
        }
        if grouping.isEmpty, mark != decimalMark, mayGroup(last.at) {
            openMark = decimalMark == nil ? mark : nil
            return
        }
        guard isGrouped(grouping, upTo: last.at) else { throw .thousandsSeparator(text: text) }
        evidence = mark
        wholeCount = last.at
        try check(decimalMark, text)
    }

    private func check(_ decimalMark: DecimalMark?, _ text: String) throws(PriceError) {
        guard let evidence, let decimalMark, evidence != decimalMark else { return }
        throw .otherDecimalMark(text: text, expected: decimalMark)
    }

    /// Whether a single sign may group thousands: `1.999`, but not `0.999` or `1999.999`.
    private func mayGroup(_ position: Int) -> Bool {
        digits.count - position == 3 && (1...3).contains(position) && digits[0] != 0x30
    }

    /// Whether signs stand every three digits, or as in `12,34,567`, and are the same.
    private func isGrouped(_ marks: ArraySlice<(byte: UInt8, at: Int)>, upTo end: Int) -> Bool {
        guard let first = marks.first else { return true }
        let ends = marks.dropFirst().map(\.at) + [end]
        var lengths: [Int] = []
        for (mark, end) in zip(marks, ends) { lengths.append(end - mark.at) }
        let isIndian =
            first.byte == UInt8(ascii: ",") && lengths.dropLast().allSatisfy { $0 == 2 }
        return marks.allSatisfy { $0.byte == first.byte } && (1...3).contains(first.at)
            && lengths.last == 3 && (isIndian || lengths.allSatisfy { $0 == 3 })
    }

    /// The number if its open sign is read in one way.
    func reading(openMarkAs decimalMark: DecimalMark) -> WrittenNumber {
        var number = self
        if openMark == decimalMark { number.wholeCount = digits.count - 3 }
        number.openMark = nil
        return number
    }

    /// The number with a point, at least so many decimals, and no needless zeros.
    func canonical(minimumDecimals: Int) -> String {
        let first = digits[..<wholeCount].firstIndex { $0 != 0x30 } ?? wholeCount
        var end = digits.count
        while end - wholeCount > minimumDecimals, digits[end - 1] == 0x30 { end -= 1 }
        let decimalCount = max(end - wholeCount, minimumDecimals)
        let wholeLength = max(wholeCount - first, 1)
        let length = wholeLength + (decimalCount > 0 ? decimalCount + 1 : 0)
        return String(unsafeUninitializedCapacity: length) { text in
            for index in 0..<wholeLength {
                text[index] = first == wholeCount ? 0x30 : digits[first + index]
            }
            if decimalCount > 0 { text[wholeLength] = UInt8(ascii: ".") }
            for index in 0..<decimalCount {
                let place = wholeCount + index
                text[wholeLength + 1 + index] = place < end ? digits[place] : 0x30
            }
            return length
        }
    }
}
