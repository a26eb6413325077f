extension ContentRule {
    /// Checks a date of six or eight digits: YYMMDD, with a day of 00 where allowed, or YYYYMMDD.
    ///
    /// Rule: GS1 General Specifications, section 3.4.
    func dateViolation(in value: Span<UInt8>) -> Violation? {
        let yearDigits = self == .yyyymmdd ? 4 : 2
        let digits = value.number ?? 0
        let year = digits / 10_000
        let month = digits / 100 % 100
        guard (1...12).contains(month) else {
            return Violation(
                .invalidDate, yearDigits..<yearDigits + 2, "a month from 01 to 12")
        }
        let last = CalendarDate.days(inMonth: month, year: yearDigits == 4 ? year : 2000 + year)
        let first = self == .yymmd0 ? 0 : 1
        guard (first...last).contains(digits % 100) else {
            return Violation(
                .invalidDate, yearDigits + 2..<yearDigits + 4, "a day from 0\(first) to \(last)")
        }
        return nil
    }

    /// Checks hours, minutes, seconds, two digits each.
    func timeViolation(in value: Span<UInt8>) -> Violation? {
        let digits = value.number ?? 0
        switch self {
        case .hh where digits > 23:
            return Violation(.invalidTime, 0..<2, "an hour from 00 to 23")
        case .hhmi where digits / 100 > 23:
            return Violation(.invalidTime, 0..<2, "an hour from 00 to 23")
        case .hhmi where digits % 100 > 59:
            return Violation(.invalidTime, 2..<4, "a minute from 00 to 59")
        case .mi where digits > 59:
            return Violation(.invalidTime, 0..<2, "a minute from 00 to 59")
        case .ss where digits > 59:
            return Violation(.invalidTime, 0..<2, "a second from 00 to 59")
        default:
            return nil
        }
    }
}
