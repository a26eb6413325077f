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
