/// A reader that parses a coupon's digits and remembers the first format error.
struct CouponReader {
    private let value: [UInt8]
    private var at = 0
    private var violation: ContentRule.Violation?

    /// Returns the first format error in a North American coupon (AI 8110); nil if its format is correct.
    ///
    /// Rule: GS1 US, North American Coupon Application Guideline Using GS1 DataBar Expanded Symbols.
    static func violation(in value: Span<UInt8>) -> ContentRule.Violation? {
        read(value) { reader in
            reader.readOffer()
            reader.readOptions()
            reader.readEnd("an optional field 1, 2, 3, 4, 5, 6 or 9 in rising order")
        }
    }

    /// Returns the first format error in a positive offer coupon (AI 8112); nil if its format is correct.
    ///
    /// Rule: GS1 US, GS1 AI (8112) Coupon Data Specification.
    static func positiveOfferViolation(in value: Span<UInt8>) -> ContentRule.Violation? {
        read(value) { reader in
            reader.readDigit("a coupon format", of: [0, 1])
            reader.readVariable("the funder", 0...6, plus: 6)
            reader.read(6, "the offer code of 6 digits")
            reader.readVariable("the serial number", 0...9, plus: 6)
            reader.readEnd("nothing after the serial number")
        }
    }

    private static func read(
        _ value: Span<UInt8>, _ read: (inout CouponReader) -> Void
    ) -> ContentRule.Violation? {
        if let found = ContentRule.csetnumeric.characterViolation(in: value) {
            return .init(found.range, found.expected)
        }
        var reader = CouponReader(value: value.indices.map { value[$0] })
        read(&reader)
        return reader.violation
    }

    private mutating func readOffer() {
        readVariable("the company prefix", 0...6, plus: 6)
        read(6, "the offer code of 6 digits")
        readVariable("the save value", 1...5)
        readPurchase("first")
    }

    private mutating func readPurchase(_ ordinal: String) {
        readVariable("the \(ordinal) purchase requirement", 1...5)
        readDigit("a \(ordinal) purchase requirement code", of: [0, 1, 2, 3, 4, 9])
        read(3, "the \(ordinal) family code of 3 digits")
    }

    /// Reads the optional fields, which are in ascending order of their first digits.
    private mutating func readOptions() {
        if skip(1) {
            readDigit("an additional purchase rules code", of: [0, 1, 2, 3])
            readPurchase("second")
            readCompany()
        }
        if skip(2) {
            readPurchase("third")
            readCompany()
        }
        readDates()
        if skip(5) { readVariable("the serial number", 0...9, plus: 6) }
        if skip(6) { readVariable("the retailer", 1...7, plus: 6) }
        if skip(9) {
            readDigit("a save value code", of: [0, 1, 2, 5, 6])
            readDigit("an item the save value applies to", of: [0, 1, 2])
            read(1, "the store coupon flag")
            readDigit("a don't multiply flag", of: [0, 1])
        }
    }

    private mutating func readDates() {
        let end = skip(3) ? readDate("the expiration date") : nil
        let fieldStart = at
        guard skip(4), let start = readDate("the start date"), let end, end < start else { return }
        fail(fieldStart + 1..<fieldStart + 7, "a start date not after the expiration date")
    }

    private mutating func readDate(_ name: String) -> Int? {
        let start = at
        read(6, "\(name) of 6 digits")
        guard violation == nil else { return nil }
        let date = Array(value[start..<at]).span.number ?? 0
        violation = ContentRule.dateViolation(20_000_000 + date, at: start + 2)
        return date
    }

    /// Reads the company prefix of a second or third purchase; a 9 means no prefix.
    private mutating func readCompany() {
        if !skip(9) { readVariable("the company prefix", 0...6, plus: 6) }
    }

    private mutating func skip(_ digit: Int) -> Bool {
        guard violation == nil, at < value.count, value[at].digitValue == digit else {
            return false
        }
        at += 1
        return true
    }

    /// Reads a field whose first digit, increased by `plus`, is the number of digits that follow.
    private mutating func readVariable(
        _ name: String, _ lengths: ClosedRange<Int>, plus: Int = 0
    ) {
        guard let length = readDigit("the length of \(name)", of: Array(lengths)) else { return }
        read(length + plus, "\(name) of \(length + plus) digits")
    }

    @discardableResult
    private mutating func readDigit(_ name: String, of allowed: [Int]) -> Int? {
        let expected = "\(name): \(allowed.map(String.init).joined(separator: ", "))"
        read(1, expected)
        guard violation == nil else { return nil }
        let digit = value[at - 1].digitValue
        if !allowed.contains(digit) { fail(at - 1..<at, expected) }
        return violation == nil ? digit : nil
    }

    private mutating func read(_ count: Int, _ name: String) {
        guard violation == nil else { return }
        if value.count - at < count { fail(at..<value.count, name) } else { at += count }
    }

    private mutating func readEnd(_ expected: String) {
        if violation == nil, at < value.count { fail(at..<value.count, expected) }
    }

    private mutating func fail(_ range: Range<Int>, _ expected: String) {
        violation = ContentRule.Violation(range, expected)
    }
}
