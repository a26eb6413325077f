/// Checks the digits of a positive offer coupon (AI 8112).
///
/// Rule: GS1 US, GS1 AI (8112) Coupon Data Specification.
enum PositiveOfferReader {
    /// What the digits break of the rule, or nil.
    static func violation(in value: Span<UInt8>) -> ContentRule.Violation? {
        if let found = ContentRule.csetnumeric.characterViolation(in: value) {
            return .init(.invalidCoupon, found.range, found.expected)
        }
        var reader = CouponReader()
        reader.readDigit(value, "a coupon format", of: [0, 1])
        reader.readVariable(value, "the funder", lengths: 0...6, plus: 6)
        reader.read(value, 6, "the offer code of 6 digits")
        reader.readVariable(value, "the serial number", lengths: 0...9, plus: 6)
        if reader.at < value.count {
            reader.fail(reader.at..<value.count, "nothing behind the serial number")
        }
        return reader.violation
    }
}
