import WireText

extension ContentRule {
    /// Checks a date, YYMMDD with a day of 00 if allowed, or YYYYMMDD, or a time of day.
    ///
    /// Rule: GS1 General Specifications, section 3.4.
    func timeViolation(in value: Span<UInt8>) -> Violation? {
        let digits = value.number ?? 0
        return switch self {
        case .hh: Self.violation(of: digits, upTo: 23, "an hour", at: 0)
        case .mi: Self.violation(of: digits, upTo: 59, "a minute", at: 0)
        case .ss: Self.violation(of: digits, upTo: 59, "a second", at: 0)
        case .hhmi:
            Self.violation(of: digits / 100, upTo: 23, "an hour", at: 0)
                ?? Self.violation(of: digits % 100, upTo: 59, "a minute", at: 2)
        case .yyyymmdd: Self.dateViolation(digits, yearDigits: 4, firstDay: 1)
        default:
            Self.dateViolation(
                20_000_000 + digits, yearDigits: 2, firstDay: self == .yymmd0 ? 0 : 1)
        }
    }

    private static func dateViolation(
        _ digits: Int, yearDigits: Int, firstDay: Int
    ) -> Violation? {
        let (year, month) = (Int64(digits / 10_000), Int64(digits / 100 % 100))
        guard
            let last = (28...31).last(where: { CivilDate(year: year, month: month, day: $0) != nil }
            )
        else { return Violation(yearDigits..<yearDigits + 2, "a month from 01 to 12") }
        guard (firstDay...Int(last)).contains(digits % 100) else {
            return Violation(
                yearDigits + 2..<yearDigits + 4, "a day from 0\(firstDay) to \(last)")
        }
        return nil
    }

    private static func violation(
        of number: Int, upTo last: Int, _ name: String, at offset: Int
    ) -> Violation? {
        number <= last ? nil : Violation(offset..<offset + 2, "\(name) from 00 to \(last)")
    }

    func numberViolation(in value: Span<UInt8>) -> Violation? {
        switch self {
        case .latitude: Self.coordinateViolation(most: 1_800_000_000, in: value)
        case .longitude: Self.coordinateViolation(most: 3_600_000_000, in: value)
        case .pieceoftotal: Self.pieceViolation(in: value)
        default: Self.positionViolation(in: value)
        }
    }

    /// Degrees in ten millionths, counted from the South Pole or from 180° West.
    private static func coordinateViolation(most: Int, in value: Span<UInt8>) -> Violation? {
        guard let number = value.number, value.count == 10, number <= most else {
            return Violation(0..<value.count, "a number from 0000000000 to \(most)")
        }
        return nil
    }

    /// A piece's number and how many there are, of equal length.
    private static func pieceViolation(in value: Span<UInt8>) -> Violation? {
        let half = value.count / 2
        let piece = value.extracting(0..<half).number ?? 0
        let total = value.extracting(half..<value.count).number ?? 0
        if piece == 0 { return Violation(0..<half, "a piece other than 0") }
        if total == 0 { return Violation(half..<value.count, "a total other than 0") }
        return piece <= total ? nil : Violation(0..<value.count, "a piece not above the total")
    }

    /// A position and the last one, with a slash between.
    private static func positionViolation(in value: Span<UInt8>) -> Violation? {
        let slash = value.firstIndex(of: UInt8(ascii: "/"), from: 0)
        guard slash < value.count, let position = value.extracting(0..<slash).number,
            let end = value.extracting(slash + 1..<value.count).number
        else { return Violation(0..<value.count, "a position, a slash and the last position") }
        if value[0] == UInt8(ascii: "0") {
            return Violation(0..<slash, "a position without leading zero")
        }
        if value[slash + 1] == UInt8(ascii: "0") {
            return Violation(slash + 1..<value.count, "a last position without leading zero")
        }
        return position <= end
            ? nil : Violation(0..<value.count, "a position not beyond the last")
    }

    /// Checks an international bank account number and its two check digits.
    ///
    /// Rule: ISO 13616-1; the check digits make the number, its first four characters moved to the
    /// end and letters counted from 10, leave 1 when divided by 97.
    static func ibanViolation(in value: Span<UInt8>) -> Violation? {
        guard (11...34).contains(value.count) else {
            return Violation(0..<value.count, "11 to 34 characters")
        }
        guard PublishedCodeList.countryLetters.contains(value.extracting(0..<2)) else {
            return Violation(0..<2, "a country's two letters (ISO 3166)")
        }
        var remainder = 0
        for offset in value.indices {
            let index = (offset + 4) % value.count
            let byte = value[index]
            guard byte.isDigit || byte.isUpper else {
                return Violation(index..<index + 1, "a digit or a capital letter")
            }
            remainder =
                byte.isDigit
                ? (remainder * 10 + byte.digitValue) % 97
                : (remainder * 100 + Int(byte) - 55) % 97
        }
        return remainder == 1 ? nil : Violation(2..<4, "other check digits")
    }
}
