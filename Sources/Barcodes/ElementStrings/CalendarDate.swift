/// A day of the Gregorian calendar; or a month, where no day is given.
public struct CalendarDate: Hashable, Sendable {
    /// The year, four digits.
    public let year: Int
    /// The month, 1…12.
    public let month: Int
    /// The day, 1…31; nil where only the month is meant.
    public let day: Int?

    /// Takes a date.
    ///
    /// - Parameters:
    ///   - year: The year, four digits.
    ///   - month: The month, 1…12.
    ///   - day: The day, or nil for the month as a whole.
    public init?(year: Int, month: Int, day: Int?) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, year: year)).contains(day ?? 1)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads the six digits YYMMDD of an element string; a day of 00 means the month.
    ///
    /// A year that lies 51 or more years ahead belongs to the previous century, one that lies 50
    /// or more behind to the next.
    ///
    /// - Parameters:
    ///   - yymmdd: Six ASCII digits.
    ///   - currentYear: The year to see the two digits from.
    ///
    /// Rule: GS1 General Specifications, section 7.12.
    public init?(yymmdd: some StringProtocol, currentYear: Int) {
        guard yymmdd.utf8.count == 6, yymmdd.utf8.allSatisfy(\.isDigit),
            let digits = Int(yymmdd), (100...9900).contains(currentYear)
        else { return nil }
        let difference = digits / 10_000 - currentYear % 100
        var century = currentYear / 100
        if difference >= 51 { century -= 1 }
        if difference <= -50 { century += 1 }
        let day = digits % 100
        self.init(
            year: century * 100 + digits / 10_000, month: digits / 100 % 100,
            day: day == 0 ? nil : day)
    }

    /// How many days a month has.
    static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension CalendarDate: CustomStringConvertible {
    /// The date as ISO 8601 writes it: `2026-12-31`, or `2026-12` for a month.
    public var description: String {
        let yearAndMonth =
            GTIN.digits(of: UInt64(year), count: 4) + "-"
            + GTIN.digits(of: UInt64(month), count: 2)
        guard let day else { return yearAndMonth }
        return yearAndMonth + "-" + GTIN.digits(of: UInt64(day), count: 2)
    }
}
