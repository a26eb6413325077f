extension ContentRule {
    /// Checks a key's check digit, its check characters or its company prefix.
    func keyViolation(in value: Span<UInt8>) -> Violation? {
        switch self {
        case .csum: Self.checkDigitViolation(in: value)
        case .csumalpha: Self.checkCharactersViolation(in: value)
        case .gcppos1: Self.companyPrefixViolation(in: value, from: 0)
        default: Self.companyPrefixViolation(in: value, from: 1)
        }
    }

    private static func checkDigitViolation(in value: Span<UInt8>) -> Violation? {
        let number = value.number ?? 0
        let expected = CheckDigit.gs1(forNumber: UInt64(number / 10))
        guard expected != number % 10 else { return nil }
        return Violation(
            .wrongCheckDigit, value.count - 1..<value.count, "the check digit \(expected)")
    }

    private static func checkCharactersViolation(in value: Span<UInt8>) -> Violation? {
        let end = max(0, value.count - 2)
        guard let pair = CheckCharacters.pair(for: value.extracting(0..<end)) else {
            return Violation(
                .wrongCheckCharacters, 0..<value.count, "a key ahead of two check characters")
        }
        guard pair.0 != value[end] || pair.1 != value[end + 1] else { return nil }
        let text = String(decoding: [pair.0, pair.1], as: UTF8.self)
        return Violation(
            .wrongCheckCharacters, end..<value.count, "the check characters \(text)")
    }

    /// The shortest company prefixes have four digits.
    private static func companyPrefixViolation(
        in value: Span<UInt8>, from start: Int
    ) -> Violation? {
        guard value.count >= start + 4 else {
            return Violation(
                .invalidCompanyPrefix, 0..<value.count, "a GS1 company prefix of 4 or more digits")
        }
        let prefix = value.extracting(start..<start + 4)
        return prefix.firstIndex { !$0.isDigit }.map {
            Violation(
                .invalidCompanyPrefix, start + $0..<start + $0 + 1,
                "a digit of a GS1 company prefix")
        }
    }
}
