/// A JSON number, with its digits exactly as written.
///
/// A price of `1.10` stays `1.10`, and a number too large for any machine type is not rounded.
///
/// Rule: RFC 8259, section 6.
public struct JSONNumber: Equatable, Hashable, Sendable, CustomStringConvertible {
    /// The number as written in the JSON text.
    public let literal: String

    /// Creates a number from a literal such as `-12`, `3.49` or `6.02e23`; nil if it is not a JSON number.
    ///
    /// It rejects a leading zero (`01`), a leading plus, a decimal point without digits on both sides, `NaN`,
    /// infinities and all non-ASCII characters.
    public init?(_ literal: String) {
        guard Self.length(of: Array(literal.utf8), from: 0) == literal.utf8.count else {
            return nil
        }
        self.literal = literal
    }

    /// Creates the JSON number for an integer, without a fraction or an exponent.
    public init(_ integer: some BinaryInteger) { literal = String(integer) }

    /// Creates a number with three decimals from thousandths: `1.250` from 1250.
    package init(thousandths: UInt64) {
        var digits: [UInt8] = []
        digits.reserveCapacity(24)
        digits.appendDecimal(thousandths / 1_000)
        digits.append(UInt8(ascii: "."))
        digits.appendDecimal(thousandths % 1_000, digits: 3)
        literal = String(decoding: digits, as: UTF8.self)
    }

    /// The same text as ``literal``.
    public var description: String { literal }

    /// Returns the length in bytes of the number that starts at an offset; nil if it is malformed.
    static func length(of bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
        let integer = index
        guard skipDigits(bytes, &index) else { return nil }
        if bytes[integer] == UInt8(ascii: "0"), index > integer + 1 { return nil }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            guard skipDigits(bytes, &index) else { return nil }
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, "+-".utf8.contains(bytes[index]) { index += 1 }
            guard skipDigits(bytes, &index) else { return nil }
        }
        return index - start
    }

    /// Skips digits; returns false if the next byte is not a digit.
    private static func skipDigits(_ bytes: [UInt8], _ index: inout Int) -> Bool {
        let start = index
        while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
        return index > start
    }
}
