import Foundation
import Testing
import WireText

@Suite struct CivilDateTests {
    @Test(
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (59, 1970, 3, 1), (11_016, 2000, 2, 29),
            (11_017, 2000, 3, 1), (-25_509, 1900, 2, 28), (-25_508, 1900, 3, 1),
            (20_779, 2026, 11, 22), (-719_468, 0, 3, 1), (-719_528, 0, 1, 1),
            (-719_529, -1, 12, 31),
            (2_932_896, 9999, 12, 31), (47_540, 2100, 2, 28), (47_541, 2100, 3, 1),
        ] as [(Int64, Int64, Int64, Int64)])
    func daysAreCountedFrom1970(days: Int64, year: Int64, month: Int64, day: Int64) throws {
        let date = CivilDate(daysSince1970: days)
        #expect((date.year, date.month, date.day) == (year, month, day))
        #expect(try #require(CivilDate(year: year, month: month, day: day)) == date)
        #expect(date.daysSince1970 == days)
    }

    @Test(
        arguments: [
            (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 4, 31), (2026, 2, 29),
            (1900, 2, 29), (2000, 2, 30), (2026, -1, 1), (2026, 1, -1), (0, 2, 30),
            (2026, .max, 1), (2026, 1, .min),
        ] as [(Int64, Int64, Int64)])
    func aDayThatTheCalendarLacksIsNone(year: Int64, month: Int64, day: Int64) {
        #expect(CivilDate(year: year, month: month, day: day) == nil)
    }

    @Test func foundationCountsTheSame() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "GMT"))
        for days in stride(from: Int64(-100_000), through: 2_932_896, by: 97) {
            let date = CivilDate(daysSince1970: days)
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(days) * 86400))
            #expect(parts.year == Int(date.year) && parts.month == Int(date.month))
            #expect(parts.day == Int(date.day) && date.daysSince1970 == days)
        }
    }

    @Test(
        arguments: [
            (7, 2, 3, 1), (-7, 2, -4, 1), (-8, 2, -4, 0), (0, 5, 0, 0), (-1, 86400, -1, 86399),
            (.min, 1, .min, 0), (.max, 10, 922_337_203_685_477_580, 7),
        ] as [(Int64, Int64, Int64, Int64)])
    func theRemainderIsNeverNegative(
        number: Int64, divisor: Int64, quotient: Int64, remainder: Int64
    ) {
        #expect(number.flooredDivision(by: divisor) == (quotient, remainder))
    }
}
