import Foundation
import WireText

/// A parser for the start or the end of a price's validity, in the formats of databases and shop systems.
///
/// | written | means |
/// |---|---|
/// | `2026-12-01T08:00:00+01:00`, `2026-12-01 07:00:00+00` | that moment |
/// | `2026-12-01T08:00`, `2026-12-01 08:00:00` | local time, in the time zone of the import |
/// | `2026-12-01`, `20261201`, `01.12.2026` | the start, or the end, of that day in the same time zone |
/// | `infinity`, a day in the year 9999 | no end; invalid as a start |
/// | `-infinity` | no start; invalid as an end |
struct WrittenTime {
    /// The time zone in which to interpret local times; nil to reject local times.
    let zone: TimeZone?

    /// Reads the start or end of a price's validity, in microseconds since 1970; nil for no limit.
    func read(
        _ text: String, of column: String, isEnd: Bool
    ) throws(InvalidRow.Reason) -> Int64? {
        let open = isEnd ? "infinity" : "-infinity"
        guard text.lowercased() != open else { return nil }
        let never = InvalidRow.Reason(
            "The column \(quoted: column) holds \(quoted: text), and the price would never hold; "
                + "expected a time, \(open) or nothing.")
        guard !["infinity", "-infinity"].contains(text.lowercased()) else { throw never }
        let parts = text.split(maxSplits: 1) { $0 == "T" || $0 == "t" || $0 == " " }
        let day = Self.day(parts.first ?? "")
        var time = parts.count > 1 ? parts[1] : "00:00:00"
        if time.utf8.count == 5 { time += ":00" }
        let moment =
            RFC3339.microseconds("\(day)T\(time)") ?? RFC3339.microseconds("\(day)T\(time):00")
        if let moment, DatedPrice.years.contains(moment) { return moment }
        guard let local = RFC3339.microseconds("\(day)T\(time)Z"), DatedPrice.years.contains(local)
        else {
            throw .unreadable(
                "time", text,
                expected: "one such as 2026-12-01T08:00:00+01:00, or a day such as 2026-12-01")
        }
        if day.hasPrefix("9999") {
            guard isEnd else { throw never }
            return nil
        }
        guard let zone else {
            throw .init(
                "The time \(quoted: text) is local; expected its offset, as in "
                    + "2026-12-01T08:00:00+01:00, or --time-zone, as in --time-zone Europe/Berlin.")
        }
        let isWholeDay = isEnd && parts.count == 1
        // East of Greenwich, the year 0001 begins before the first time that we can write.
        return max(
            Self.moment(local: local + (isWholeDay ? 86_400_000_000 : 0), in: zone),
            DatedPrice.years.lowerBound)
    }

    /// Rewrites `01.12.2026` and `20261201` as `2026-12-01`; returns other text unchanged.
    private static func day(_ text: Substring) -> String {
        let dotted = text.split(separator: ".", omittingEmptySubsequences: false)
        if dotted.count == 3 { return dotted.reversed().joined(separator: "-") }
        guard text.utf8.count == 8 else { return String(text) }
        return "\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.suffix(2))"
    }

    /// Converts a local time to UTC.
    ///
    /// If a clock change repeats the time, the first occurrence counts. A skipped time moves forward: 02:30 to 03:30.
    private static func moment(local: Int64, in zone: TimeZone) -> Int64 {
        func offset(_ moment: Int64) -> Int64 {
            let date = Date(timeIntervalSince1970: Double(moment) / 1_000_000)
            return Int64(zone.secondsFromGMT(for: date)) * 1_000_000
        }
        let (before, after) = (offset(local - 86_400_000_000), offset(local + 86_400_000_000))
        let (early, late) = (local - before, local - after)
        return offset(early) != before && offset(late) == after ? late : early
    }
}
