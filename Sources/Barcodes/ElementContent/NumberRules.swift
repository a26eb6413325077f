import WireText

extension ContentRule {
    /// Checks a date given as a number, such as 20261231 for 2026-12-31; day 00 is allowed if `firstDay` is 0.
    ///
    /// `month`, the month's offset in the checked part, locates errors. Rule: GS1 General Specifications, section 3.4.
    static func dateViolation(_ digits: Int, at month: Int, firstDay: Int = 1) -> Violation? {
        let days = (28...31).last {
            CivilDate(year: Int64(digits / 10_000), month: Int64(digits / 100 % 100), day: $0)
                != nil
        }
        guard let days else { return Violation(month..<month + 2, "a month from 01 to 12") }
        return (firstDay...Int(days)).contains(digits % 100)
            ? nil : Violation(month + 2..<month + 4, "a day from 0\(firstDay) to \(days)")
    }

    static func timeViolation(
        _ number: Int, upTo last: Int, _ name: String, at offset: Int = 0
    ) -> Violation? {
        number <= last ? nil : Violation(offset..<offset + 2, "\(name) from 00 to \(last)")
    }

    /// Checks the number of a piece and the total, as in `0102` for piece 1 of 2.
    static func pieceViolation(in value: Span<UInt8>) -> Violation? {
        let half = value.count / 2
        let piece = value.extracting(0..<half).number ?? 0
        let total = value.extracting(half..<value.count).number ?? 0
        if piece == 0 { return Violation(0..<half, "a piece other than 0") }
        if total == 0 { return Violation(half..<value.count, "a total other than 0") }
        return piece <= total ? nil : Violation(0..<value.count, "a piece not above the total")
    }

    /// Checks a position in a sequence and the sequence's last position, as in `3/12`.
    static func positionViolation(in value: Span<UInt8>) -> Violation? {
        let slash = value.firstIndex(of: "/")
        guard slash < value.count, let position = value.extracting(0..<slash).number,
            let end = value.extracting(slash + 1..<value.count).number
        else { return Violation(0..<value.count, "a position, a slash and the last position") }
        if value[0] == "0" {
            return Violation(0..<slash, "a position without leading zero")
        }
        if value[slash + 1] == "0" {
            return Violation(slash + 1..<value.count, "a last position without leading zero")
        }
        return position <= end
            ? nil : Violation(0..<value.count, "a position not beyond the last")
    }

    /// Checks an international bank account number and its two check digits.
    ///
    /// Rule: ISO 13616-1. After the first four characters are moved to the end and the letters are replaced by the
    /// numbers 10 to 35, the result modulo 97 must be 1.
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
