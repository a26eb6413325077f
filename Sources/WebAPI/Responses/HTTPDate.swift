import Glibc
public import HTTPTypes
import WireText

/// A point in time as HTTP writes it, to the second.
///
/// Rule: RFC 9110, section 5.6.7.
public struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let secondsSince1970: Int64

    /// Makes a date of seconds since 1970-01-01T00:00:00Z.
    public init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

    /// The date here and now, by the system's clock.
    public static var now: HTTPDate { HTTPDate(secondsSince1970: Int64(time(nil))) }

    /// The date in the header `Date`; nil without a valid one.
    public init?(of headers: HTTPFields) {
        guard let date = headers[.date].flatMap({ HTTPDate($0) }) else { return nil }
        self = date
    }

    /// Says which is earlier.
    public static func < (left: HTTPDate, right: HTTPDate) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// How long it is from another date to this one; negative if this one is earlier.
    public func since(_ other: HTTPDate) -> Duration {
        .seconds(secondsSince1970 - other.secondsSince1970)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// The date as headers write it, as `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        let (day, second) = secondsSince1970.flooredDivision(by: 86400)
        let date = CivilDate(daysSince1970: day)
        func padded(_ number: Int64, _ digits: Int = 2) -> String {
            String(repeating: "0", count: max(0, digits - "\(number)".count)) + "\(number)"
        }
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0) }
        return "\(Self.weekdays[Int(day.flooredDivision(by: 7).remainder)]), \(padded(date.day)) "
            + "\(Self.months[Int(date.month) - 1]) \(padded(date.year, 4)) "
            + "\(time.joined(separator: ":")) GMT"
    }

    /// Reads a date in any of the three forms a recipient must accept.
    ///
    /// They are `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and
    /// `Sun Nov  6 08:49:37 1994`; a year of two digits is from 1970 to 2069.
    public init?(_ text: some StringProtocol) {
        let words = text.split { " ,-".contains($0) }
        let isC = words.count == 5
        guard isC || words.count == 6 && words[5] == "GMT" else { return nil }
        let order = isC ? [2, 1, 4, 3] : [1, 2, 3, 4]
        let (day, month, year) = (words[order[0]], words[order[1]], words[order[2]])
        let time = words[order[3]].split(separator: ":", omittingEmptySubsequences: false)
        guard let day = Self.number(day, digits: 1...2),
            let month = Self.months.firstIndex(of: String(month)),
            let number = Self.number(year, digits: 2...4), year.utf8.count != 3, time.count == 3,
            let hour = Self.number(time[0], digits: 2...2), hour < 24,
            let minute = Self.number(time[1], digits: 2...2), minute < 60,
            let second = Self.number(time[2], digits: 2...2), second <= 60
        else { return nil }
        let century: Int64 = year.utf8.count > 2 ? 0 : number < 70 ? 2000 : 1900
        let date = CivilDate(year: number + century, month: Int64(month) + 1, day: day)
        guard let days = date?.daysSince1970 else { return nil }
        secondsSince1970 = days * 86400 + hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: some StringProtocol, digits: ClosedRange<Int>) -> Int64? {
        let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isNumber && digits.contains(text.utf8.count) ? Int64(text) : nil
    }
}
