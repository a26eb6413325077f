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
        let room = Swift.max(digits, Self.mostDigits)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { buffer in
            var start = room
            var rest = value
            repeat {
                start -= 1
                let digit = UInt8(truncatingIfNeeded: rest % 10)
                buffer.initializeElement(at: start, to: digit + UInt8(ascii: "0"))
                rest /= 10
            } while rest > 0 || room - start < digits
            append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start...]))
        }
    }

    /// The digits of the greatest number.
    private static var mostDigits: Int { 20 }
}
