import Events
import Testing

@Suite struct EventTimeTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
        (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
        (951_868_799_999_999, "2000-02-29T23:59:59.999999Z"),
        (951_868_800_000_000, "2000-03-01T00:00:00.000000Z"),
        (1_000_000_000_000_001, "2001-09-09T01:46:40.000001Z"),
        (1_709_164_800_000_000, "2024-02-29T00:00:00.000000Z"),
        (1_795_248_000_123_456, "2026-11-21T08:00:00.123456Z"),
        (2_147_483_648_000_000, "2038-01-19T03:14:08.000000Z"),
        (4_107_542_399_000_000, "2100-02-28T23:59:59.000000Z"),
        (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
        (-2_203_891_200_000_000, "1900-03-01T00:00:00.000000Z"),
        (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
        (-62_162_035_200_000_000, "0000-03-01T00:00:00.000000Z"),
        (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
    ])
    func knownTimesAreWrittenAndRead(microseconds: Int64, text: String) {
        let time = EventTime(microsecondsSince1970: microseconds)
        #expect(time.description == text)
        #expect(EventTime(rfc3339: text) == time)
    }

    @Test(arguments: [1599, 1899, 1999, 2099, 2399])
    func everyDayFollowsTheOneBeforeByTheCalendar(firstYear: Int) throws {
        var (year, month, day) = (firstYear, 12, 31)
        var time = try #require(EventTime(rfc3339: "\(firstYear)-12-31T00:00:00Z"))
        while year < firstYear + 9 {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            day += 1
            if day > lengths[month - 1] { (day, month) = (1, month + 1) }
            if month > 12 { (month, year) = (1, year + 1) }
            time = time.advanced(byMicroseconds: 86_400_000_000)
            let date = [year, month, day].map { $0 < 10 ? "0\($0)" : "\($0)" }
            guard time.description == "\(date.joined(separator: "-"))T00:00:00.000000Z" else {
                Issue.record("\(time) is not \(date)")
                return
            }
        }
    }

    @Test(arguments: [
        ("2026-11-21T09:00:00+01:00", "2026-11-21T08:00:00.000000Z"),
        ("2026-11-21t03:30:00.5-04:30", "2026-11-21T08:00:00.500000Z"),
        ("2026-12-31T23:30:00.1234567899-00:30", "2027-01-01T00:00:00.123456Z"),
        ("1970-01-01T00:00:00z", "1970-01-01T00:00:00.000000Z"),
    ])
    func offsetsAndFractionsAreUnderstood(text: String, written: String) {
        #expect(EventTime(rfc3339: text)?.description == written)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T08:00:00", "2026-11-21 08:00:00Z", "2026-11-21T08:00Z",
        "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-04-31T00:00:00Z", "2026-00-10T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-11-21T24:00:00Z", "2026-11-21T08:60:00Z", "2016-12-31T23:59:60Z",
        "2026-11-21T08:00:00.Z", "2026-11-21T08:00:00Zx", "2026-11-21T08:00:00+1:00",
        "2026-11-21T08:00:00+24:00", "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        "10000-01-01T00:00:00Z", "-001-01-01T00:00:00Z", "2026-11-21T08:00:0٣Z",
    ])
    func whatIsNoTimeIsRefused(text: String) {
        #expect(EventTime(rfc3339: text) == nil)
    }

    @Test func timesOutsideTheYearsOfRFC3339BecomeTheFirstOrTheLast() {
        let first = EventTime(microsecondsSince1970: .min)
        let last = EventTime(microsecondsSince1970: .max)
        #expect("\(first) \(last)" == "0000-01-01T00:00:00.000000Z 9999-12-31T23:59:59.999999Z")
        #expect(last.advanced(byMicroseconds: .max) == last)
        #expect(first.advanced(byMicroseconds: .min) == first)
        #expect(first < last)
    }
}
