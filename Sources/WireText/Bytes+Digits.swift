extension [UInt8] {
    /// Appends fixed text without escaping it.
    package mutating func append(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: count))
    }

    /// Appends `mark` and then `value` as `digits` hexadecimal digits, such as `u00e9`.
    package mutating func appendHexadecimal(
        _ value: UInt32, digits: Int, marked mark: Unicode.Scalar
    ) {
        append(UInt8(ascii: mark))
        for position in (0..<digits).reversed() {
            let digit = UInt8(truncatingIfNeeded: value >> UInt32(position * 4)) & 0xF
            append(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a"))
        }
    }

    /// Appends a number in decimal, padded with zeros on the left to at least `digits` digits.
    package mutating func appendDecimal(_ value: UInt64, digits: Int = 1) {
        // The largest number has 20 digits.
        let room = Swift.max(digits, 20)
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
}

extension Sequence<UInt8> {
    /// The bytes in lower-case hexadecimal, two digits for each byte.
    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension BinaryInteger {
    /// Returns the number as text, padded with zeros on the left to at least `digits` digits.
    package func padded(to digits: Int, radix: Int = 10) -> String {
        let text = String(self, radix: radix)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit in ASCII; nil for any other byte.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
