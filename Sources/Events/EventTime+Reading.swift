import WireText

/// A text that is no time.
public struct EventTimeError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text as it came.
    public let text: String

    /// One sentence, with the text escaped.
    public var description: String {
        "\(text.quoted()) is no time: expected a form like "
            + "2026-11-21T08:00:00Z or 2026-11-21T09:00:00.123456+01:00, in the years 0000 to 9999"
    }
}

extension EventTime {
    /// Reads a time as RFC 3339 has it.
    ///
    /// Any offset and any number of digits after the second are read; those beyond the microsecond
    /// are cut off. A sixtieth second is refused, for there is no such microsecond since 1970.
    ///
    /// - Parameter text: For example `2026-11-21T08:00:00Z`.
    /// - Throws: ``EventTimeError``, where it is none, the day does not exist, or the year in UTC
    ///   is not in 0000…9999.
    ///
    /// Rule: RFC 3339, section 5.6.
    public init(rfc3339 text: String) throws(EventTimeError) {
        var fields = TimeFields(text)
        guard let time = fields.read() else { throw EventTimeError(text: text) }
        self = time
    }
}

/// Reads the fields of an RFC 3339 time from left to right.
private struct TimeFields {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) {
        rest = Array(text.utf8)[...]
    }

    mutating func read() -> EventTime? {
        guard let days = date(), skip("T") || skip("t"), let seconds = timeOfDay(),
            let microseconds = fraction(), let offset = offset(), rest.isEmpty
        else { return nil }
        let total = (days * 86_400 + seconds - offset) * 1_000_000 + microseconds
        let time = EventTime(microsecondsSince1970: total)
        return time.microsecondsSince1970 == total ? time : nil
    }

    /// Days since 1970.
    private mutating func date() -> Int64? {
        guard let year = number(4), skip("-"), let month = number(2), skip("-"),
            let day = number(2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)?.daysSince1970
    }

    private mutating func timeOfDay() -> Int64? {
        guard let hour = number(2), skip(":"), let minute = number(2), skip(":"),
            let second = number(2), hour < 24, minute < 60, second < 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private mutating func fraction() -> Int64? {
        guard skip(".") else { return 0 }
        var value: Int64 = 0
        var digits = 0
        while let digit = number(1) {
            if digits < 6 { value = value * 10 + digit }
            digits += 1
        }
        guard digits > 0 else { return nil }
        for _ in min(digits, 6)..<6 { value *= 10 }
        return value
    }

    /// Seconds that the written time is ahead of UTC.
    private mutating func offset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isAhead = skip("+")
        guard isAhead || skip("-"), let hours = number(2), skip(":"), let minutes = number(2),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isAhead ? 60 : -60)
    }

    /// Reads so many digits; where there are fewer, nothing is taken.
    private mutating func number(_ digits: Int) -> Int64? {
        let field = rest.prefix(digits)
        guard field.count == digits, field.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            return nil
        }
        rest = rest.dropFirst(digits)
        return field.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
