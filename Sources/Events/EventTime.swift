import Glibc
import WireText

/// A time with microsecond precision, in the years 0000 to 9999.
///
/// Times outside these years are clamped, because RFC 3339 cannot express them. As in POSIX, there are no leap seconds.
package struct EventTime: Equatable, Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01T00:00:00Z; negative for earlier times.
    package let microsecondsSince1970: Int64

    package init(microsecondsSince1970: Int64) {
        self.microsecondsSince1970 =
            min(max(microsecondsSince1970, -62_167_219_200_000_000), 253_402_300_799_999_999)
    }

    /// Returns a time that is later by `microseconds`, limited to the years 0000 to 9999.
    package func advanced(byMicroseconds microseconds: Int64) -> EventTime {
        let (sum, overflow) = microsecondsSince1970.addingReportingOverflow(microseconds)
        return EventTime(microsecondsSince1970: overflow ? microseconds < 0 ? .min : .max : sum)
    }

    package var year: Int { Int(date.prefix(4)) ?? 0 }

    /// The date in UTC, such as `2026-11-21`.
    package var date: Substring { description.prefix(10) }

    /// The year of keywedge's first release.
    static let firstYear = 2026
    /// Whether the time is before the first release, which shows that the system clock is not set.
    ///
    /// Without a battery, a clock may start at 1970 or at the system's build date. A clock that starts in 2026 or later
    /// counts as set.
    package var isFromUnsetClock: Bool { year < Self.firstYear }
    /// The year, or ``firstYear`` if the time comes from a clock that is not set.
    package var plausibleYear: Int { max(year, Self.firstYear) }

    package static func < (left: EventTime, right: EventTime) -> Bool {
        left.microsecondsSince1970 < right.microsecondsSince1970
    }

    /// The time shifted so that ``date`` and ``description`` show this machine's local time.
    package var local: EventTime {
        var seconds = time_t(microsecondsSince1970.flooredDivision(by: 1_000_000).quotient)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return self }
        return advanced(byMicroseconds: Int64(local.tm_gmtoff) * 1_000_000)
    }
}

extension EventTime: CustomStringConvertible {
    /// The time in UTC in RFC 3339 format, with six decimals.
    package var description: String { RFC3339.textWithDecimals(microsecondsSince1970) }
}

extension EventTime {
    /// Parses an RFC 3339 time in the years 0000 to 9999 (UTC); nil for any other string.
    package init?(rfc3339 text: String) {
        guard let microseconds = RFC3339.microseconds(text) else { return nil }
        self.init(microsecondsSince1970: microseconds)
        guard microsecondsSince1970 == microseconds else { return nil }
    }
}
