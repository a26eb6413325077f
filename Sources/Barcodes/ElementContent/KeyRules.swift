extension ContentRule {
    static func checkDigitViolation(in value: Span<UInt8>) -> Violation? {
        guard let digits = Digits(value), !digits.isValid else { return nil }
        return Violation(
            value.count - 1..<value.count, "the check digit \(digits.expectedCheckDigit)",
            .wrongCheckDigit)
    }

    static func checkCharactersViolation(in value: Span<UInt8>) -> Violation? {
        let end = max(0, value.count - 2)
        guard let pair = checkCharacters(for: value.extracting(0..<end)) else {
            return Violation(0..<value.count, "a key before two check characters")
        }
        guard pair[0] != value[end] || pair[1] != value[end + 1] else { return nil }
        return Violation(
            end..<value.count, "the check characters \(String(decoding: pair, as: UTF8.self))")
    }

    /// Checks that a GS1 company prefix of at least four digits begins at `start`.
    static func companyPrefixViolation(
        in value: Span<UInt8>, from start: Int
    ) -> Violation? {
        guard value.count >= start + 4 else {
            return Violation(0..<value.count, "a GS1 company prefix of 4 or more digits")
        }
        let prefix = value.extracting(start..<start + 4)
        return prefix.firstIndex { !$0.isDigit }.map {
            Violation(start + $0..<start + $0 + 1, "a digit of a GS1 company prefix")
        }
    }
}

/// The two check characters of GS1's alphanumeric keys.
///
/// Rule: GS1 General Specifications, section 7.9.5.
extension ContentRule {
    /// Computes the two check characters of a GS1 key given without them; nil if its length or a character is invalid.
    private static func checkCharacters(for value: Span<UInt8>) -> [UInt8]? {
        guard value.count > 0, value.count <= primes.count else { return nil }
        var sum = 0
        for index in value.indices {
            guard let place = places.firstIndex(of: value[index]) else { return nil }
            sum += place * primes[value.count - 1 - index]
        }
        return [alphabet[(sum % 1021) >> 5], alphabet[(sum % 1021) & 31]]
    }

    /// The characters of GS1's character set 82, in the order of their values in the checksum.
    private static let places = Array(
        ("!\"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
            + "abcdefghijklmnopqrstuvwxyz").utf8)
    private static let alphabet = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZ".utf8)

    private static let primes = (2...509).filter { number in
        (2..<number).allSatisfy { number % $0 != 0 }
    }
}
