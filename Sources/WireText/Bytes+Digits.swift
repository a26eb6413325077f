extension [UInt8] {
    /// Appends characters that need no escaping.
    package mutating func append(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: count))
    }

    /// Appends a number in small hexadecimal digits, behind a letter that marks it.
    package mutating func appendHexadecimal(
        _ value: UInt32, digits: Int, marked mark: Unicode.Scalar
    ) {
        append(UInt8(ascii: mark))
        for position in (0..<digits).reversed() {
            let digit = UInt8(truncatingIfNeeded: value >> UInt32(position * 4)) & 0xF
            append(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a"))
        }
    }

    /// Appends a number in decimal, padded with zeros on the left.
    package mutating func appendDecimal(_ value: UInt64, digits: Int = 1) {
        var length = 1
        var power: UInt64 = 10
        while length < 20, value >= power {
            length += 1
            power = power.multipliedReportingOverflow(by: 10).partialValue
        }
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Swift.max(length, digits)))
        var rest = value
        for index in indices.suffix(length).reversed() {
            self[index] = UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0")
            rest /= 10
        }
    }
}
