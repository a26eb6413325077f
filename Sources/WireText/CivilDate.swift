/// A day of the Gregorian calendar, extended backwards without limit.
///
/// The arithmetic lets the year start on 1 March, which makes the leap day its last day: then 400 years
/// always have 146,097 days, and `(153 * month + 2) / 5` days precede a month counted from March.
package struct CivilDate: Hashable, Sendable {
    /// The year; 0 is 1 BC.
    package let year: Int64
    /// The month, 1…12.
    package let month: Int64
    /// The day of the month, 1…31.
    package let day: Int64

    private static let daysPerCycle: Int64 = 146_097
    /// Days from 0000-03-01 to 1970-01-01.
    private static let daysToEpoch: Int64 = 719_468

    /// Makes a day; nil if the calendar does not have it.
    package init?(year: Int64, month: Int64, day: Int64) {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        // A day that the calendar lacks would change on the way through the day number.
        guard CivilDate(daysSince1970: daysSince1970) == self else { return nil }
    }

    /// Makes the day that comes this many days after 1970-01-01.
    package init(daysSince1970 days: Int64) {
        let (cycle, dayOfCycle) = (days + Self.daysToEpoch).flooredDivision(by: Self.daysPerCycle)
        // The leap days before this day: one in 4 years, less one in 100, plus the last of the cycle.
        let leapDays = dayOfCycle / 1_460 - dayOfCycle / 36_524 + dayOfCycle / 146_096
        let yearOfCycle = (dayOfCycle - leapDays) / 365
        let dayOfYear = dayOfCycle - Self.days(before: yearOfCycle)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01; negative before.
    package var daysSince1970: Int64 {
        let (cycle, yearOfCycle) = (month <= 2 ? year - 1 : year).flooredDivision(by: 400)
        let monthFromMarch = month <= 2 ? month + 9 : month - 3
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        return cycle * Self.daysPerCycle + Self.days(before: yearOfCycle) + dayOfYear
            - Self.daysToEpoch
    }

    /// Days in the years of a cycle before a given year.
    private static func days(before yearOfCycle: Int64) -> Int64 {
        365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100
    }
}

extension Int64 {
    /// Divides so that the remainder is never negative.
    package func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
