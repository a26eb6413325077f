internal import Keystrokes

extension LineCursor {
    /// The name of an `EV_SYN` event, as the kernel has it.
    ///
    /// - Returns: The event's code; nil for another name.
    mutating func synName() -> UInt16? {
        if skip("SYN_REPORT") { return SynCode.report }
        if skip("SYN_DROPPED") { return SynCode.dropped }
        if skip("SYN_CONFIG") { return 1 }
        return skip("SYN_MT_REPORT") ? 2 : nil
    }

    /// Passes over the strokes around such a name.
    ///
    /// Their number differs between releases, and so does their shape: `-` for most, `+` for
    /// `SYN_MT_REPORT`, `>` and `<` or `!` for `SYN_DROPPED`.
    ///
    /// - Returns: Whether there were any.
    mutating func skipStrokes() -> Bool {
        let first = index
        while let byte, "-+<>!".utf8.contains(byte) { skipByte() }
        return index > first
    }

    /// The text between the first quotation mark and the last one of the line.
    ///
    /// Devices' names are printed as they are, with no escaping.
    ///
    /// - Returns: The text; nil where there are no marks or nothing between them.
    mutating func nameInMarks() -> String? {
        guard skip(through: "\"") else { return nil }
        let text = String(decoding: rest, as: UTF8.self)
        let name = text.lastIndex(of: "\"").map { String(text[..<$0]) } ?? text
        return name.isEmpty ? nil : name
    }

    /// Whether the cursor stands before a letter or a digit.
    var isInWord: Bool {
        guard let byte else { return false }
        switch byte | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return true
        default: return false
        }
    }
}

extension LineCursor {
    /// The highest number of seconds taken for a time: in the year 2286 as wall clock.
    static let lastSecond: Int64 = 9_999_999_999

    /// A time `SECONDS.MICROSECONDS`, in microseconds.
    ///
    /// The part behind the point has six digits, always: `evemu-play` takes `1.5` for one second
    /// and five microseconds, people take it for one and a half, so it is refused.
    ///
    /// - Returns: The time; nil where there is none, or it is later than ``lastSecond``.
    @inline(__always)
    mutating func time() -> Int64? {
        guard let seconds = decimal(), skip(UInt8(ascii: ".")) else { return nil }
        let first = index
        guard let micros = decimal(), index - first == 6 else { return nil }
        return Self.time(seconds: seconds, microseconds: micros)
    }

    /// A time as Python prints it: seconds with a decimal fraction of one to nine digits.
    ///
    /// - Returns: The time in microseconds, rounded down; nil where there is none, or it is later
    ///   than ``lastSecond``.
    mutating func fractionalTime() -> Int64? {
        guard let seconds = decimal(), skip(UInt8(ascii: ".")) else { return nil }
        let first = index
        guard var fraction = decimal(), index - first <= 9 else { return nil }
        for _ in (index - first)..<9 { fraction *= 10 }
        return Self.time(seconds: seconds, microseconds: fraction / 1000)
    }

    /// Puts a time together.
    ///
    /// - Parameters:
    ///   - seconds: At most ``lastSecond``.
    ///   - microseconds: Less than a million.
    /// - Returns: The time in microseconds; nil where a part is out of range.
    @inline(__always)
    static func time(seconds: Int64, microseconds: Int64) -> Int64? {
        guard seconds <= lastSecond, microseconds < 1_000_000 else { return nil }
        return seconds * 1_000_000 + microseconds
    }
}
