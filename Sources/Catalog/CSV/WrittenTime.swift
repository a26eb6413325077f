import Foundation
import WireText

/// Reads the times of prices as databases and shop systems write them.
///
/// | written | means |
/// |---|---|
/// | `2026-12-01T08:00:00+01:00`, `2026-12-01 07:00:00+00` | that moment |
/// | `2026-12-01T08:00`, `2026-12-01 08:00:00` | local time, in the time zone of the import |
/// | `2026-12-01`, `20261201`, `01.12.2026` | that day there: from its start on, or up to its end |
/// | `infinity`, a day in the year 9999 | no end; as a beginning, a time that never comes |
/// | `-infinity` | no beginning; as an end, a time that never was |
struct WrittenTime {
    /// What a time says.
    enum Reading: Equatable {
        /// A moment, in microseconds since 1970.
        case moment(Int64)
        /// No beginning, or no end.
        case open
        /// A beginning that never comes, or an end ahead of all time.
        case never
    }

    /// The time zone of local times; nil if they are errors.
    let zone: TimeZone?

    /// Reads a time.
    func read(_ text: String, isEnd: Bool) throws(InvalidRow.Reason) -> Reading {
        switch text.lowercased() {
        case "infinity": return isEnd ? .open : .never
        case "-infinity": return isEnd ? .never : .open
        default: break
        }
        if let moment = Self.moment(text) { return .moment(moment) }
        let (day, time) = Self.split(text)
        guard let date = Self.day(day) else { throw .time(found: text) }
        if date.year == 9999 { return isEnd ? .open : .never }
        guard let ofDay = time.map(Self.secondsOfDay) ?? (isEnd ? 86_400 : 0) else {
            throw .time(found: text)
        }
        guard let zone else { throw .timeWithoutZone(found: text) }
        let seconds = date.daysSince1970 * 86_400 + ofDay
        return .moment(Self.moment(local: seconds, in: zone) * 1_000_000)
    }

    /// A moment with its offset, in the forms of RFC 3339 and of PostgreSQL.
    private static func moment(_ text: String) -> Int64? {
        var text = text
        if text.utf8.count > 10, text.utf8[text.utf8.index(text.startIndex, offsetBy: 10)] == 0x20 {
            text = text.prefix(10) + "T" + text.dropFirst(11)
        }
        let end = text.suffix(3)
        if text.utf8.count > 19, end.first == "+" || end.first == "-",
            end.dropFirst().allSatisfy(\.isNumber)
        {
            text += ":00"
        }
        return RFC3339.microseconds(text)
    }

    private static func split(_ text: String) -> (day: Substring, time: Substring?) {
        let parts = text.split(maxSplits: 1) { $0 == "T" || $0 == "t" || $0 == " " }
        return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
    }

    private static func day(_ text: Substring) -> CivilDate? {
        let dotted = text.split(separator: ".", omittingEmptySubsequences: false)
        if dotted.count == 3 { return day(dotted[2], dotted[1], dotted[0]) }
        let dashed = text.split(separator: "-", omittingEmptySubsequences: false)
        if dashed.count == 3 { return day(dashed[0], dashed[1], dashed[2]) }
        guard text.utf8.count == 8 else { return nil }
        return day(text.prefix(4), text.dropFirst(4).prefix(2), text.suffix(2))
    }

    private static func day(
        _ year: Substring, _ month: Substring, _ day: Substring
    ) -> CivilDate? {
        guard let year = number(year, 4), let month = number(month, 2), let day = number(day, 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    private static func secondsOfDay(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { number($0, 2) }
        guard (2...3).contains(parts.count), numbers.count == parts.count, numbers[0] < 24,
            numbers[1] < 60, numbers.count == 2 || numbers[2] < 60
        else { return nil }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }

    private static func number(_ text: Substring, _ digits: Int) -> Int64? {
        text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            ? Int64(text) : nil
    }

    /// The moment at which clocks in a zone show a time, the first of two; of a time that they skip,
    /// one as long after the change.
    private static func moment(local seconds: Int64, in zone: TimeZone) -> Int64 {
        func offset(_ moment: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment))))
        }
        let before = offset(seconds - 86_400)
        let after = offset(seconds + 86_400)
        let early = seconds - before
        let late = seconds - after
        return offset(early) != before && offset(late) == after ? late : early
    }
}
