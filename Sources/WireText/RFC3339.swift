/// Times in the format of RFC 3339, which web services usually mean by "ISO 8601".
///
/// Parsing accepts any offset from UTC and any number of decimals, but drops those after the sixth. It rejects leap
/// seconds (`:60`), because a count of microseconds since 1970 cannot represent them.
///
/// Rule: RFC 3339, section 5.6.
package struct RFC3339 {
    private var rest: ArraySlice<UInt8>

    /// Parses a time into microseconds since 1970; nil if it is malformed, or if its day does not exist.
    package static func microseconds(_ text: String) -> Int64? {
        var fields = RFC3339(rest: Array(text.utf8)[...])
        guard let days = fields.date(), fields.skip("T") || fields.skip("t"),
            let seconds = fields.timeOfDay(), let microseconds = fields.fraction(),
            let offset = fields.offset(), fields.rest.isEmpty
        else { return nil }
        return (days * 86_400 + seconds - offset) * 1_000_000 + microseconds
    }

    /// Formats microseconds since 1970 as UTC; omits the six decimals if they are all zero.
    package static func text(_ microseconds: Int64) -> String {
        let text = textWithDecimals(microseconds)
        return text.hasSuffix(".000000Z") ? String(text.dropLast(8)) + "Z" : text
    }

    /// Formats microseconds since 1970 as UTC, such as `2026-11-21T08:00:00.123456Z`.
    package static func textWithDecimals(_ microseconds: Int64) -> String {
        let (seconds, fraction) = microseconds.flooredDivision(by: 1_000_000)
        let (days, ofDay) = seconds.flooredDivision(by: 86_400)
        let date = CivilDate(daysSince1970: days)
        let day = [date.year.padded(to: 4), date.month.padded(to: 2), date.day.padded(to: 2)]
        let time = [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map { $0.padded(to: 2) }
        return day.joined(separator: "-") + "T" + time.joined(separator: ":") + "."
            + fraction.padded(to: 6) + "Z"
    }

    /// Parses a date, and returns it as the number of days since 1970.
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

    /// Parses the offset from UTC, and returns it in seconds; positive east of Greenwich.
    private mutating func offset() -> Int64? {
        if skip("Z") || skip("z") { return 0 }
        let isAhead = skip("+")
        guard isAhead || skip("-"), let hours = number(2), skip(":"), let minutes = number(2),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isAhead ? 60 : -60)
    }

    /// Parses exactly `digits` digits; returns nil and skips nothing if there are fewer.
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
