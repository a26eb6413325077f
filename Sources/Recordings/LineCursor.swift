internal import Keystrokes

/// A cursor that reads a line's fields from left to right; a method that fails returns nil or false, but may move it.
struct LineCursor {
    private let bytes: UnsafeRawBufferPointer
    private(set) var index = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    var isAtEnd: Bool { index >= bytes.count }

    var isAtDigit: Bool { byte.map(Self.isDigit) ?? false }

    var isInWord: Bool {
        byte.map { Self.isDigit($0) || Self.isLowercase($0 | 0x20) } ?? false
    }

    var rest: UnsafeRawBufferPointer { .init(rebasing: bytes[index...]) }

    /// Skips one byte; the cursor must not be at the end.
    mutating func skipByte() {
        index += 1
    }

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

    func starts(with literal: StaticString) -> Bool {
        var cursor = self
        return cursor.skip(literal)
    }

    /// Skips everything through the first `literal`; returns false if the line does not contain it.
    mutating func skip(through literal: StaticString) -> Bool {
        while !isAtEnd {
            if skip(literal) { return true }
            index += 1
        }
        return false
    }

    @inline(__always)
    @discardableResult
    mutating func skip(while isPart: (UInt8) -> Bool) -> Bool {
        let first = index
        while index < bytes.count, isPart(bytes[index]) { index += 1 }
        return index > first
    }

    /// Skips spaces and tabs; returns whether there were any.
    @inline(__always)
    @discardableResult
    mutating func skipBlanks() -> Bool {
        skip { $0 == 0x20 || $0 == 0x09 }
    }

    /// Skips indentation and the `>` marks of quoted mail.
    mutating func skipQuoting() {
        repeat { skipBlanks() } while skip(">")
    }

    /// Whether only blanks are left, or blanks and a comment; skips the blanks.
    mutating func endsOrComments() -> Bool {
        let wasBlank = skipBlanks()
        return isAtEnd || (wasBlank && byte == UInt8(ascii: "#"))
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    static func isLowercase(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
}

// Numbers. The result is nil for a number that is too large, however many digits it has.
extension LineCursor {
    /// Reads a decimal number of 1 to 18 digits, which always fits into `Int64`.
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
        return (1...18).contains(index - first) ? value : nil
    }

    @inline(__always)
    mutating func signedDecimal() -> Int32? {
        let isNegative = skip("-")
        guard let magnitude = decimal() else { return nil }
        return Int32(exactly: isNegative ? -magnitude : magnitude)
    }

    mutating func smallDecimal() -> UInt16? {
        decimal().flatMap { UInt16(exactly: $0) }
    }

    /// Reads a hexadecimal number without `0x`, of one to `longest` digits; `longest` is at most 8.
    @inline(__always)
    mutating func hexadecimal(longest: Int) -> UInt32? {
        let first = index
        var value: UInt32 = 0
        while index < bytes.count, let digit = Self.hexDigit(bytes[index]) {
            value = value << 4 | digit
            index += 1
        }
        return (1...longest).contains(index - first) ? value : nil
    }

    @inline(__always)
    mutating func smallHexadecimal() -> UInt16? {
        hexadecimal(longest: 4).map { UInt16(truncatingIfNeeded: $0) }
    }

    /// Reads exactly `count` hexadecimal numbers, separated by blanks; only a comment may follow.
    mutating func smallHexadecimals(_ count: Int) -> [UInt16]? {
        var numbers: [UInt16] = []
        while skipBlanks(), let number = smallHexadecimal() { numbers.append(number) }
        return numbers.count == count && (isAtEnd || byte == UInt8(ascii: "#")) ? numbers : nil
    }

    private static func hexDigit(_ byte: UInt8) -> UInt32? {
        let digit = byte &- UInt8(ascii: "0")
        if digit <= 9 { return UInt32(digit) }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter <= 5 ? UInt32(letter) + 10 : nil
    }
}

// Times, in microseconds.
extension LineCursor {
    /// The latest second that a recording can contain; as Unix time, it is in the year 2286.
    static let lastSecond: Int64 = 9_999_999_999
    static let latest = lastSecond * 1_000_000 + 999_999

    /// Reads a time in the format `SECONDS.MICROSECONDS`; nil if it is later than ``latest``.
    ///
    /// `separator` replaces the dot, and exactly six digits must follow it. `1.5` is rejected, because `evemu-play`
    /// reads it as one second and five microseconds, but people read it as one and a half seconds.
    @inline(__always)
    mutating func time(separator: StaticString = ".") -> Int64? {
        guard let seconds = decimal(), skip(separator) else { return nil }
        let first = index
        guard let micros = decimal(), index - first == 6 else { return nil }
        return Self.time(seconds: seconds, microseconds: micros)
    }

    /// Reads a time in seconds with one to nine decimals, and returns it in microseconds.
    mutating func fractionalTime() -> Int64? {
        guard let seconds = decimal(), skip(".") else { return nil }
        let first = index
        guard var fraction = decimal(), index - first <= 9 else { return nil }
        for _ in (index - first)..<9 { fraction *= 10 }
        return Self.time(seconds: seconds, microseconds: fraction / 1000)
    }

    static func time(seconds: Int64, microseconds: Int64) -> Int64? {
        guard (0...lastSecond).contains(seconds), (0..<1_000_000).contains(microseconds) else {
            return nil
        }
        return seconds * 1_000_000 + microseconds
    }
}

// Names.
extension LineCursor {
    static let synNames: [(name: StaticString, code: UInt16)] = [
        ("SYN_REPORT", SynCode.report), ("SYN_DROPPED", SynCode.dropped), ("SYN_CONFIG", 1),
        ("SYN_MT_REPORT", 2),
    ]

    mutating func synName() -> UInt16? { Self.synNames.first { skip($0.name) }?.code }

    /// Skips the punctuation before or after the name of an `EV_SYN` event; returns whether there was any.
    ///
    /// It consists of `-` for most events, `+` for `SYN_MT_REPORT`, and `>`, `<` or `!` for `SYN_DROPPED`. The number
    /// of characters depends on the version of the recording tool.
    mutating func skipStrokes() -> Bool {
        skip { "-+<>!".utf8.contains($0) }
    }

    /// Reads the type and code in `1 (EV_KEY), code 28   (KEY_ENTER), value 1`, up to the value.
    mutating func typeAndCode() -> (type: UInt16, code: UInt16)? {
        guard let type = smallDecimal(), skip(" ("), skip(through: "), code "),
            let code = smallDecimal(), skipBlanks(), skip("("), skip(through: "), value ")
        else { return nil }
        return (type, code)
    }

    /// Returns the text after any blanks, up to the end of the line; nil if it is empty.
    mutating func restText() -> String? {
        skipBlanks()
        return isAtEnd ? nil : String(decoding: rest, as: UTF8.self)
    }

    /// Returns the text between the first and the last quotation mark, or after the only one.
    mutating func nameInMarks() -> String? {
        guard skip(through: "\"") else { return nil }
        let text = String(decoding: rest, as: UTF8.self)
        let name = text.lastIndex(of: "\"").map { String(text[..<$0]) } ?? text
        return name.isEmpty ? nil : name
    }
}
