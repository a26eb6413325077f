/// Reads fields from the bytes of one line, from left to right.
///
/// A reading function that finds no valid field returns nil or false; what it has passed over then
/// does not matter, because the line is given up.
struct LineCursor {
    private let bytes: UnsafeRawBufferPointer
    private(set) var index = 0

    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The byte at the cursor, or nil at the end.
    @inline(__always)
    var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Whether the whole line has been read.
    @inline(__always)
    var isAtEnd: Bool { index >= bytes.count }

    /// What has not been read yet.
    var rest: UnsafeRawBufferPointer { .init(rebasing: bytes[index...]) }

    /// Passes over one byte if it is `expected`.
    @inline(__always)
    mutating func skip(_ expected: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == expected else { return false }
        index += 1
        return true
    }

    /// Passes over one byte, whatever it is; not at the end.
    mutating func skipByte() {
        index += 1
    }

    /// Passes over `literal` if it comes next.
    @inline(__always)
    mutating func skip(_ literal: StaticString) -> Bool {
        let count = literal.utf8CodeUnitCount
        guard bytes.count - index >= count else { return false }
        for offset in 0..<count where bytes[index + offset] != literal.utf8Start[offset] {
            return false
        }
        index += count
        return true
    }

    /// Whether `literal` comes next.
    func starts(with literal: StaticString) -> Bool {
        var cursor = self
        return cursor.skip(literal)
    }

    /// Passes over everything up to and including the first `literal`.
    mutating func skip(through literal: StaticString) -> Bool {
        while !isAtEnd {
            if skip(literal) { return true }
            index += 1
        }
        return false
    }

    /// Passes over spaces and tabs.
    ///
    /// - Returns: Whether there were any.
    @inline(__always)
    @discardableResult
    mutating func skipBlanks() -> Bool {
        let first = index
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        return index > first
    }

    /// Passes over indentation and the `>` marks of quoted mail.
    mutating func skipQuoting() {
        repeat { skipBlanks() } while skip(UInt8(ascii: ">"))
    }

    /// Whether nothing follows but blanks, or a blank and a comment.
    mutating func endsOrComments() -> Bool {
        let wasBlank = skipBlanks()
        return isAtEnd || (wasBlank && byte == UInt8(ascii: "#"))
    }

    /// A decimal number of at most 18 digits.
    @inline(__always)
    mutating func decimal() -> Int64? {
        let first = index
        var value: Int64 = 0
        while index < bytes.count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            if digit > 9 { break }
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        let count = index - first
        return count > 0 && count <= 18 ? value : nil
    }

    /// A decimal number with an optional minus sign that fits into 32 bits.
    @inline(__always)
    mutating func signedDecimal() -> Int32? {
        let isNegative = skip(UInt8(ascii: "-"))
        guard let magnitude = decimal() else { return nil }
        return Int32(exactly: isNegative ? -magnitude : magnitude)
    }

    /// A decimal number that fits into 16 bits.
    @inline(__always)
    mutating func smallDecimal() -> UInt16? {
        decimal().flatMap { UInt16(exactly: $0) }
    }

    /// A hexadecimal number of one to `longest` digits, at most 8, without `0x`.
    @inline(__always)
    mutating func hexadecimal(longest: Int) -> UInt32? {
        let first = index
        var value: UInt32 = 0
        while index < bytes.count, let digit = Self.hexDigit(bytes[index]) {
            value = value << 4 | digit
            index += 1
        }
        let count = index - first
        return count > 0 && count <= longest ? value : nil
    }

    /// A hexadecimal number that fits into 16 bits, without `0x`.
    @inline(__always)
    mutating func smallHexadecimal() -> UInt16? {
        hexadecimal(longest: 4).map { UInt16(truncatingIfNeeded: $0) }
    }

    @inline(__always)
    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        let digit = byte &- UInt8(ascii: "0")
        if digit <= 9 { return UInt32(digit) }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter <= 5 ? UInt32(letter) + 10 : nil
    }
}
