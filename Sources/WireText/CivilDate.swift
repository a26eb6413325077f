/// A day in the proleptic Gregorian calendar, which also covers dates before the calendar was introduced.
///
/// Internally, a year starts on 1 March, so that a leap day is its last day. Month 0 is March, and the months before
/// month `m` have `(153 * m + 2) / 5` days in total. 400 years have 146,097 days.
package struct CivilDate: Hashable, Sendable {
    /// The year; 0 is 1 BC.
    package let year: Int64
    /// The month, from 1 to 12.
    package let month: Int64
    package let day: Int64
    private static let daysPerCycle: Int64 = 146_097
    /// The number of days from 0000-03-01 to 1970-01-01.
    private static let daysToEpoch: Int64 = 719_468

    /// Creates a day; nil if there is no such day, for example 30 February.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        // A day that does not exist has the day number of another day, so converting it back changes it.
        guard CivilDate(daysSince1970: daysSince1970) == self else { return nil }
    }

    package init(daysSince1970 days: Int64) {
        let (cycle, dayOfCycle) = (days + Self.daysToEpoch).flooredDivision(by: Self.daysPerCycle)
        // The leap days before this day: one every 4 years, but not every 100 years, plus the last day of the cycle.
        let leapDays = dayOfCycle / 1_460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
        let yearOfCycle = (dayOfCycle - leapDays) / 365
        let dayOfYear = dayOfCycle - Self.days(before: yearOfCycle)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    }

    /// The number of days since 1970-01-01; negative for an earlier day.
    package var daysSince1970: Int64 {
        let (cycle, yearOfCycle) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
        let monthFromMarch = month <= 2 ? month + 9 : month - 3
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return cycle * Self.daysPerCycle + Self.days(before: yearOfCycle) + dayOfYear
            - Self.daysToEpoch
    }

    /// Returns the number of days before year `yearOfCycle` (0 to 399) of a 400-year cycle.
    private static func days(before yearOfCycle: Int64) -> Int64 {
        365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100
    }
}

extension Int64 {
    /// Divides by a positive number and rounds down; the remainder is never negative.
    package func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
