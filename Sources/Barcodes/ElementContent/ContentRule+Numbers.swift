extension ContentRule {
    /// Checks a coordinate or a place in a series.
    func numberViolation(in value: Span<UInt8>) -> Violation? {
        switch self {
        case .latitude: Self.coordinateViolation(.invalidLatitude, most: 1_800_000_000, in: value)
        case .longitude: Self.coordinateViolation(.invalidLongitude, most: 3_600_000_000, in: value)
        case .pieceoftotal: Self.pieceViolation(in: value)
        default: Self.positionViolation(in: value)
        }
    }

    /// Degrees in ten millionths, counted from the South Pole or from 180° West.
    private static func coordinateViolation(
        _ code: Problem.Code, most: Int, in value: Span<UInt8>
    ) -> Violation? {
        guard let number = value.number, value.count == 10, number <= most else {
            return Violation(
                code, 0..<value.count,
                "a number from 0000000000 to \(most)")
        }
        return nil
    }

    /// A piece's number and how many there are, of equal length.
    private static func pieceViolation(in value: Span<UInt8>) -> Violation? {
        let half = value.count / 2
        let piece = value.extracting(0..<half).number ?? 0
        let total = value.extracting(half..<value.count).number ?? 0
        if piece == 0 { return Violation(.invalidPieceOfTotal, 0..<half, "a piece other than 0") }
        if total == 0 {
            return Violation(.invalidPieceOfTotal, half..<value.count, "a total other than 0")
        }
        guard piece > total else { return nil }
        return Violation(.invalidPieceOfTotal, 0..<value.count, "a piece not above the total")
    }

    /// A position and the last one, with a slash between.
    private static func positionViolation(in value: Span<UInt8>) -> Violation? {
        let slash = value.firstIndex(of: UInt8(ascii: "/"), from: 0)
        guard slash < value.count, let position = value.extracting(0..<slash).number,
            let end = value.extracting(slash + 1..<value.count).number
        else {
            return Violation(
                .invalidPosition, 0..<value.count, "a position, a slash and the last position")
        }
        if value[0] == UInt8(ascii: "0") {
            return Violation(.invalidPosition, 0..<slash, "a position without leading zero")
        }
        if value[slash + 1] == UInt8(ascii: "0") {
            return Violation(
                .invalidPosition, slash + 1..<value.count, "a last position without leading zero")
        }
        guard position > end else { return nil }
        return Violation(.invalidPosition, 0..<value.count, "a position not behind the last")
    }
}

extension ContentRule {
    /// Checks an international bank account number and its two check digits.
    ///
    /// Rule: ISO 13616-1; the check digits make the number, its first four characters moved to the
    /// end and letters counted from 10, leave 1 when divided by 97.
    static func ibanViolation(in value: Span<UInt8>) -> Violation? {
        guard (11...34).contains(value.count) else {
            return Violation(.invalidIBAN, 0..<value.count, "11 to 34 characters")
        }
        guard PublishedCodeList.countryLetters.contains(value.extracting(0..<2)) else {
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
