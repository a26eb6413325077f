/// Walks through the digits of a North American coupon (AI 8110).
///
/// Rule: GS1 US, North American Coupon Application Guideline Using GS1 DataBar Expanded Symbols.
struct CouponReader {
    /// The offset reached.
    private(set) var at = 0
    /// What was broken first.
    private(set) var violation: ContentRule.Violation?

    /// What the digits break of the rule, or nil.
    static func violation(in value: Span<UInt8>) -> ContentRule.Violation? {
        if let found = ContentRule.csetnumeric.characterViolation(in: value) {
            return .init(found.range, found.expected)
        }
        var reader = CouponReader()
        reader.readOffer(value)
        reader.readOptions(value)
        return reader.violation
    }

    /// The fields every coupon has.
    private mutating func readOffer(_ value: Span<UInt8>) {
        readVariable(value, "the company prefix", lengths: 0...6, plus: 6)
        read(value, 6, "the offer code of 6 digits")
        readVariable(value, "the save value", lengths: 1...5)
        readPurchase(value, "first")
    }

    /// A purchase's requirement, its code and its family code.
    private mutating func readPurchase(_ value: Span<UInt8>, _ ordinal: String) {
        readVariable(value, "the \(ordinal) purchase requirement", lengths: 1...5)
        readDigit(value, "a \(ordinal) purchase requirement code", of: [0, 1, 2, 3, 4, 9])
        read(value, 3, "the \(ordinal) family code of 3 digits")
    }

    /// The optional fields, each announced by its digit, in rising order.
    private mutating func readOptions(_ value: Span<UInt8>) {
        if has(1, value) {
            readDigit(value, "an additional purchase rules code", of: [0, 1, 2, 3])
            readPurchase(value, "second")
            readCompany(value)
        }
        if has(2, value) {
            readPurchase(value, "third")
            readCompany(value)
        }
        readDates(value)
        if has(5, value) { readVariable(value, "the serial number", lengths: 0...9, plus: 6) }
        if has(6, value) { readVariable(value, "the retailer", lengths: 1...7, plus: 6) }
        if has(9, value) {
            readDigit(value, "a save value code", of: [0, 1, 2, 5, 6])
            readDigit(value, "an item the save value applies to", of: [0, 1, 2])
            read(value, 1, "the store coupon flag")
            readDigit(value, "a don't multiply flag", of: [0, 1])
        }
        if violation == nil, at < value.count {
            fail(at..<value.count, "an optional field 1, 2, 3, 4, 5, 6 or 9 in rising order")
        }
    }

    /// The days the offer ends and starts.
    private mutating func readDates(_ value: Span<UInt8>) {
        let end = has(3, value) ? readDate(value, "the expiration date") : nil
        let fieldStart = at
        guard has(4, value), let start = readDate(value, "the start date"), let end, end < start
        else { return }
        fail(fieldStart + 1..<fieldStart + 7, "a start date not after the expiration date")
    }

    private mutating func readDate(_ value: Span<UInt8>, _ name: String) -> Int? {
        let start = at
        read(value, 6, "\(name) of 6 digits")
        guard violation == nil else { return nil }
        let date = value.extracting(start..<at)
        if let found = ContentRule.yymmdd.timeViolation(in: date) {
            fail(start + found.range.lowerBound..<start + found.range.upperBound, found.expected)
        }
        return date.number
    }

    /// The company of a second or third purchase; 9 says that there is none.
    private mutating func readCompany(_ value: Span<UInt8>) {
        if violation == nil, at < value.count, value[at] == UInt8(ascii: "9") {
            at += 1
        } else {
            readVariable(value, "the company prefix", lengths: 0...6, plus: 6)
        }
    }

    /// Whether the optional field with a digit comes next.
    private mutating func has(_ field: Int, _ value: Span<UInt8>) -> Bool {
        guard violation == nil, at < value.count, value[at].digitValue == field else {
            return false
        }
        at += 1
        return true
    }
}

extension CouponReader {
    /// Reads digits whose number a digit ahead of them tells.
    mutating func readVariable(
        _ value: Span<UInt8>, _ name: String, lengths: ClosedRange<Int>, plus: Int = 0
    ) {
        guard let length = readDigit(value, "the length of \(name)", of: Array(lengths)) else {
            return
        }
        read(value, length + plus, "\(name) of \(length + plus) digits")
    }

    /// Reads a digit that must be one of some.
    @discardableResult
    mutating func readDigit(_ value: Span<UInt8>, _ name: String, of allowed: [Int]) -> Int? {
        let list = allowed.map(String.init).joined(separator: ", ")
        read(value, 1, "\(name): \(list)")
        guard violation == nil else { return nil }
        let digit = value[at - 1].digitValue
        if !allowed.contains(digit) { fail(at - 1..<at, "\(name): \(list)") }
        return violation == nil ? digit : nil
    }

    /// Reads a number of digits.
    mutating func read(_ value: Span<UInt8>, _ count: Int, _ name: String) {
        guard violation == nil else { return }
        if value.count - at < count {
            fail(at..<value.count, name)
        } else {
            at += count
        }
    }

    /// Keeps the first violation.
    mutating func fail(_ range: Range<Int>, _ expected: String) {
        violation = violation ?? ContentRule.Violation(range, expected)
    }

    /// What the digits of a positive offer coupon (AI 8112) break of the rule, or nil.
    ///
    /// Rule: GS1 US, GS1 AI (8112) Coupon Data Specification.
    static func positiveOfferViolation(in value: Span<UInt8>) -> ContentRule.Violation? {
        if let found = ContentRule.csetnumeric.characterViolation(in: value) {
            return .init(found.range, found.expected)
        }
        var reader = CouponReader()
        reader.readDigit(value, "a coupon format", of: [0, 1])
        reader.readVariable(value, "the funder", lengths: 0...6, plus: 6)
        reader.read(value, 6, "the offer code of 6 digits")
        reader.readVariable(value, "the serial number", lengths: 0...9, plus: 6)
        if reader.at < value.count {
            reader.fail(reader.at..<value.count, "nothing after the serial number")
        }
        return reader.violation
    }
}
