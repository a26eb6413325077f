import Glibc
import WireText

/// A date and time in an HTTP header, in whole seconds.
///
/// Rule: RFC 9110, section 5.6.7.
public struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01T00:00:00Z, not counting leap seconds.
    public let secondsSince1970: Int64

    /// Creates a date from seconds since 1970-01-01T00:00:00Z, not counting leap seconds.
    public init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

    /// The current date and time according to the system clock.
    public static var now: HTTPDate { HTTPDate(secondsSince1970: Int64(time(nil))) }

    /// Whether the left date is earlier than the right one.
    public static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// Returns the time from another date to this one; negative if this one is earlier.
    public func since(_ other: HTTPDate) -> Duration {
        .seconds(secondsSince1970 - other.secondsSince1970)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// The date as written in headers, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        let (days, second) = secondsSince1970.flooredDivision(by: 86400)
        let date = CivilDate(daysSince1970: days)
        let day = [
            date.day.padded(to: 2), Self.months[Int(date.month) - 1],
            date.year.padded(to: 4),
        ]
        let time = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }
        return "\(Self.weekdays[Int(days.flooredDivision(by: 7).remainder)]), "
            + "\(day.joined(separator: " ")) \(time.joined(separator: ":")) GMT"
    }

    /// Parses a date in any of HTTP's three formats; returns nil for other text.
    ///
    /// The formats are `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
    /// `Sun Nov  6 08:49:37 1994`. Two-digit years mean 1970 to 2069.
    public init?(_ text: some StringProtocol) {
        let words = String(text).split { " ,-".contains($0) }.map(String.init)
        let isC = words.count == 5
        guard isC || words.count == 6 && words[5] == "GMT" else { return nil }
        let (day, name) = isC ? (words[2], words[1]) : (words[1], words[2])
        let (year, time) = isC ? (words[4], words[3]) : (words[3], words[4])
        guard let month = Self.months.firstIndex(of: name), time.utf8.count == 8 else { return nil }
        let century = year.utf8.count > 2 ? "" : year < "70" ? "20" : "19"
        // Our RFC 3339 parser does not accept leap seconds.
        let isLeap = time.hasSuffix(":60")
        let written =
            "\(century)\(year)-\((month + 1).padded(to: 2))-"
            + "\(day.utf8.count == 1 ? "0" : "")\(day)T\(isLeap ? time.dropLast(2) + "59" : time)Z"
        guard let microseconds = RFC3339.microseconds(written) else { return nil }
        secondsSince1970 = microseconds / 1_000_000 + (isLeap ? 1 : 0)
    }
}
