import Glibc
import WireText

/// A point in time in microseconds, in the years 0000 to 9999.
///
/// RFC 3339 has no other years; earlier and later times become the first or the last microsecond. As in POSIX, leap
/// seconds are not counted.
package struct EventTime: Equatable, Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z; negative for earlier times.
    package let microsecondsSince1970: Int64

    /// The first point in time: `0000-01-01T00:00:00.000000Z`.
    package static let first = EventTime(microsecondsSince1970: .min)

    /// The last point in time: `9999-12-31T23:59:59.999999Z`.
    package static let last = EventTime(microsecondsSince1970: .max)

    /// Makes a time, clamped to ``first`` and ``last``.
    package init(microsecondsSince1970: Int64) {
        self.microsecondsSince1970 =
            min(max(microsecondsSince1970, -62_167_219_200_000_000), 253_402_300_799_999_999)
    }

    /// The time after an interval, clamped to ``first`` and ``last``.
    package func advanced(byMicroseconds microseconds: Int64) -> EventTime {
        let (sum, overflow) = microsecondsSince1970.addingReportingOverflow(microseconds)
        guard overflow else { return EventTime(microsecondsSince1970: sum) }
        return microseconds < 0 ? .first : .last
    }

    /// The year in UTC.
    package var year: Int {
        let (days, _) = microsecondsSince1970.flooredDivision(by: Self.perDay)
        return Int(CivilDate(daysSince1970: days).year)
    }

    package static func < (left: EventTime, right: EventTime) -> Bool {
        left.microsecondsSince1970 < right.microsecondsSince1970
    }

    /// Appends the time in RFC 3339 format, in UTC with six decimals: `2026-11-21T08:00:00.123456Z`.
    package func append(to output: inout [UInt8]) {
        let (days, ofDay) = microsecondsSince1970.flooredDivision(by: Self.perDay)
        let date = CivilDate(daysSince1970: days)
        let seconds = UInt64(ofDay) / 1_000_000
        let start = output.count
        output.append("0000-00-00T00:00:00.000000Z")
        output.withUnsafeMutableBufferPointer { buffer in
            let text = UnsafeMutableBufferPointer(rebasing: buffer[start...])
            Self.put(UInt64(date.year), into: text, 0..<4)
            Self.put(UInt64(date.month), into: text, 5..<7)
            Self.put(UInt64(date.day), into: text, 8..<10)
            Self.put(seconds / 3600, into: text, 11..<13)
            Self.put(seconds / 60 % 60, into: text, 14..<16)
            Self.put(seconds % 60, into: text, 17..<19)
            Self.put(UInt64(ofDay) % 1_000_000, into: text, 20..<26)
        }
    }

    private static func put(
        _ value: UInt64, into text: UnsafeMutableBufferPointer<UInt8>, _ digits: Range<Int>
    ) {
        var rest = value
        for index in digits.reversed() {
            text[index] = UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0")
            rest /= 10
        }
    }

    /// The offset of this box's local time from UTC at this time, in microseconds; positive in the east.
    var localOffset: Int64 {
        var seconds = time_t(microsecondsSince1970.flooredDivision(by: 1_000_000).quotient)
        var local = tm()
        return localtime_r(&seconds, &local) == nil ? 0 : Int64(local.tm_gmtoff) * 1_000_000
    }

    /// The number of the day since 1970 in this box's local time.
    package var localDay: Int64 {
        advanced(byMicroseconds: localOffset).microsecondsSince1970
            .flooredDivision(by: Self.perDay).quotient
    }

    static let perDay: Int64 = 86_400_000_000
}

extension EventTime: CustomStringConvertible {
    /// The time in RFC 3339 format, in UTC with six decimals.
    package var description: String {
        var output: [UInt8] = []
        append(to: &output)
        return String(decoding: output, as: UTF8.self)
    }
}

/// A text is not a time.
package struct EventTimeError: Error, Equatable, Sendable, CustomStringConvertible {
    package let text: String

    /// One sentence, with the text escaped.
    package var description: String {
        "\(text.quoted()) is not a time: expected a form like "
            + "2026-11-21T08:00:00Z or 2026-11-21T09:00:00.123456+01:00, in the years 0000 to 9999"
    }
}

extension EventTime {
    /// Parses a time in RFC 3339 format.
    ///
    /// Any offset and any number of decimals are accepted; digits beyond microseconds are cut off. Second 60 is
    /// rejected, because the count of microseconds since 1970 has no leap seconds.
    ///
    /// - Throws: ``EventTimeError`` if the text is not a time, the day does not exist, or the year in UTC is outside
    ///   0000 to 9999.
    ///
    /// Rule: RFC 3339, section 5.6.
    package init(rfc3339 text: String) throws(EventTimeError) {
        guard let microseconds = RFC3339.microseconds(text) else {
            throw EventTimeError(text: text)
        }
        self.init(microsecondsSince1970: microseconds)
        guard microsecondsSince1970 == microseconds else { throw EventTimeError(text: text) }
    }
}
