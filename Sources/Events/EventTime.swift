import Glibc
import WireText

/// A time with microsecond precision, in the years 0000 to 9999.
///
/// RFC 3339 has no other years, so earlier and later times are clamped. As in POSIX, leap seconds are not counted.
package struct EventTime: Equatable, Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z; negative for earlier times.
    package let microsecondsSince1970: Int64

    package init(microsecondsSince1970: Int64) {
        self.microsecondsSince1970 =
            min(max(microsecondsSince1970, -62_167_219_200_000_000), 253_402_300_799_999_999)
    }

    /// Returns the time that is `microseconds` later (earlier if negative), clamped to the years 0000 to 9999.
    package func advanced(byMicroseconds microseconds: Int64) -> EventTime {
        let (sum, overflow) = microsecondsSince1970.addingReportingOverflow(microseconds)
        return EventTime(microsecondsSince1970: overflow ? microseconds < 0 ? .min : .max : sum)
    }

    package var year: Int { Int(date.prefix(4)) ?? 0 }

    /// The date, such as `2026-11-21`.
    package var date: Substring { description.prefix(10) }

    /// The year of the first release.
    static let firstYear = 2026
    /// Whether the time is before the first release; a system clock that shows such a time is not set.
    ///
    /// Without a battery, a clock may start at 1970, or on the day on which the system was built. A clock that starts
    /// in 2026 or later is not noticed.
    package var isFromUnsetClock: Bool { year < Self.firstYear }
    /// The year, or the first possible one if the clock is not set.
    package var plausibleYear: Int { max(year, Self.firstYear) }

    package static func < (left: EventTime, right: EventTime) -> Bool {
        left.microsecondsSince1970 < right.microsecondsSince1970
    }

    /// The time in this box's time zone: its ``date`` and ``description`` are the local ones, in spite of the `Z`.
    package var local: EventTime {
        var seconds = time_t(microsecondsSince1970.flooredDivision(by: 1_000_000).quotient)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return self }
        return advanced(byMicroseconds: Int64(local.tm_gmtoff) * 1_000_000)
    }
}

extension EventTime: CustomStringConvertible {
    /// The time in RFC 3339 format, in UTC with six decimals.
    package var description: String { RFC3339.textWithDecimals(microsecondsSince1970) }
}

extension EventTime {
    /// Parses a time in RFC 3339 format; nil for any other string, or if the year in UTC is outside 0000 to 9999.
    package init?(rfc3339 text: String) {
        guard let microseconds = RFC3339.microseconds(text) else { return nil }
        self.init(microsecondsSince1970: microseconds)
        guard microsecondsSince1970 == microseconds else { return nil }
    }
}
