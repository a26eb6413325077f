extension ContentRule {
    /// Checks an international bank account number and its two check digits.
    ///
    /// Rule: ISO 13616-1; the check digits make the number, its first four characters moved to the
    /// end and letters counted from 10, leave 1 when divided by 97.
    static func ibanViolation(in value: Span<UInt8>) -> Violation? {
        guard (11...34).contains(value.count) else {
            return Violation(.invalidIBAN, 0..<value.count, "11 to 34 characters")
        }
        guard CodeList.countryLetters.contains(value.extracting(0..<2)) else {
            return Violation(.invalidIBAN, 0..<2, "a country's two letters (ISO 3166)")
        }
        var remainder = 0
        for offset in value.indices {
            let index = (offset + 4) % value.count
            let byte = value[index]
            guard byte.isDigit || byte.isUpper else {
                return Violation(
                    .invalidIBAN, index..<index + 1, "a digit or a capital letter")
            }
            remainder =
                byte.isDigit
                ? (remainder * 10 + byte.digitValue) % 97
                : (remainder * 100 + Int(byte) - 55) % 97
        }
        return remainder == 1 ? nil : Violation(.invalidIBAN, 2..<4, "other check digits")
    }
}
