import Glibc
import WireText

/// A point in time as HTTP writes it, to the second.
///
/// Rule: RFC 9110, section 5.6.7.
public struct HTTPDate: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let secondsSince1970: Int64

    /// Makes a date.
    ///
    /// - Parameter secondsSince1970: Seconds since 1970-01-01T00:00:00Z.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Says which is earlier.
    public static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// How long it is from another date to this one; negative where this one is earlier.
    ///
    /// - Parameter other: The other date.
    /// - Returns: The time between.
    public func since(_ other: HTTPDate) -> Duration {
        .seconds(secondsSince1970 - other.secondsSince1970)
    }
}

extension HTTPDate: CustomStringConvertible {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// The date as headers write it, as `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        let (day, second) = secondsSince1970.flooredDivision(by: 86400)
        let date = CivilDate(daysSince1970: day)
        let weekday = Self.weekdays[Int(day.flooredDivision(by: 7).remainder)]
        let time = [second / 3600, second / 60 % 60, second % 60].map(Self.twoDigits)
        return "\(weekday), \(Self.twoDigits(date.day)) \(Self.months[Int(date.month) - 1]) "
            + "\(Self.padded(date.year, 4)) \(time.joined(separator: ":")) GMT"
    }

    /// Reads a date in any of the three forms a recipient must accept.
    ///
    /// - Parameter text: As `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or
    ///   `Sun Nov  6 08:49:37 1994`. A year of two digits is taken to be from 1970 to 2069.
    public init?(_ text: some StringProtocol) {
        let words = text.split { " ,-".contains($0) }
        guard words.count >= 5 else { return nil }
        let isAsctime = words[1].first?.isLetter == true
        let day = isAsctime ? words[2] : words[1]
        let month = isAsctime ? words[1] : words[2]
        let year = isAsctime ? words[4] : words[3]
        let time = isAsctime ? words[3] : words[4]
        guard isAsctime ? words.count == 5 : words.count == 6 && words[5] == "GMT" else {
            return nil
        }
        guard let days = Self.days(day: day, month: month, year: year),
            let second = Self.second(of: time)
        else { return nil }
        self.init(secondsSince1970: days * 86400 + second)
    }

    private static func days(
        day: some StringProtocol, month: some StringProtocol, year: some StringProtocol
    ) -> Int64? {
        guard let day = number(day, digits: 1...2),
            let month = months.firstIndex(of: String(month)).map({ Int64($0) + 1 }),
            var fullYear = number(year, digits: 2...4), year.utf8.count != 3
        else { return nil }
        if year.utf8.count == 2 { fullYear += fullYear < 70 ? 2000 : 1900 }
        return CivilDate(year: fullYear, month: month, day: day)?.daysSince1970
    }

    private static func second(of time: some StringProtocol) -> Int64? {
        let parts = time.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 2...2), hour < 24,
            let minute = number(parts[1], digits: 2...2), minute < 60,
            let second = number(parts[2], digits: 2...2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: some StringProtocol, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }

    private static func twoDigits(_ number: Int64) -> String { padded(number, 2) }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}

extension HTTPDate {
    /// The date here and now, by the system's clock.
    public static var now: HTTPDate {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return HTTPDate(secondsSince1970: Int64(time.tv_sec))
    }
}
