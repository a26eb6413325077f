import WireText

/// A point in time, in microseconds, within the years 0000 to 9999.
///
/// RFC 3339 knows no other years; what lies outside becomes the first or the last microsecond.
/// Leap seconds are not counted, as in POSIX.
public struct EventTime: Equatable, Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z; negative before.
    public let microsecondsSince1970: Int64

    /// The first point in time: `0000-01-01T00:00:00.000000Z`.
    public static let first = EventTime(microsecondsSince1970: .min)

    /// The last point in time: `9999-12-31T23:59:59.999999Z`.
    public static let last = EventTime(microsecondsSince1970: .max)

    /// Makes a time, kept within ``first`` and ``last``.
    ///
    /// - Parameter microsecondsSince1970: Microseconds since 1970-01-01T00:00:00Z.
    public init(microsecondsSince1970: Int64) {
        self.microsecondsSince1970 =
            min(max(microsecondsSince1970, -62_167_219_200_000_000), 253_402_300_799_999_999)
    }

    /// Gives the time a while later, kept within ``first`` and ``last``.
    ///
    /// - Parameter microseconds: How much later; negative for earlier.
    /// - Returns: The time.
    public func advanced(byMicroseconds microseconds: Int64) -> EventTime {
        let (sum, overflow) = microsecondsSince1970.addingReportingOverflow(microseconds)
        guard overflow else { return EventTime(microsecondsSince1970: sum) }
        return microseconds < 0 ? .first : .last
    }

    /// The year in UTC.
    public var year: Int {
        let (days, _) = CivilDate.divide(microsecondsSince1970, by: Self.perDay)
        return Int(CivilDate(daysSince1970: days).year)
    }

    /// Says which of two times comes first.
    public static func < (left: EventTime, right: EventTime) -> Bool {
        left.microsecondsSince1970 < right.microsecondsSince1970
    }

    /// Appends the time as RFC 3339 has it, in UTC with six digits: `2026-11-21T08:00:00.123456Z`.
    ///
    /// - Parameter output: Where the 27 bytes go.
    public func append(to output: inout [UInt8]) {
        let (days, ofDay) = CivilDate.divide(microsecondsSince1970, by: Self.perDay)
        let date = CivilDate(daysSince1970: days)
        output.appendDecimal(UInt64(date.year), digits: 4)
        output.append(UInt8(ascii: "-"))
        output.appendDecimal(UInt64(date.month), digits: 2)
        output.append(UInt8(ascii: "-"))
        output.appendDecimal(UInt64(date.day), digits: 2)
        output.append(UInt8(ascii: "T"))
        let seconds = UInt64(ofDay) / 1_000_000
        output.appendDecimal(seconds / 3600, digits: 2)
        output.append(UInt8(ascii: ":"))
        output.appendDecimal(seconds / 60 % 60, digits: 2)
        output.append(UInt8(ascii: ":"))
        output.appendDecimal(seconds % 60, digits: 2)
        output.append(UInt8(ascii: "."))
        output.appendDecimal(UInt64(ofDay) % 1_000_000, digits: 6)
        output.append(UInt8(ascii: "Z"))
    }

    /// Microseconds in a day.
    static let perDay: Int64 = 86_400_000_000
}

extension EventTime: CustomStringConvertible {
    /// The time as RFC 3339 has it, in UTC with six digits.
    public var description: String {
        var output: [UInt8] = []
        append(to: &output)
        return String(decoding: output, as: UTF8.self)
    }
}
