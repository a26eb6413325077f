/// Check digits as GS1 computes them.
public enum CheckDigit {
    /// The check digit that belongs behind some digits.
    ///
    /// The digits are weighted 3, 1, 3 … from the right; the check digit fills the sum up to the
    /// next multiple of ten.
    ///
    /// - Parameter digits: ASCII digits without their check digit; of any length.
    /// - Returns: 0…9, or nil where `digits` holds anything but ASCII digits.
    ///
    /// Rule: GS1 General Specifications, section 7.9.1.
    public static func gs1(for digits: some StringProtocol) -> Int? {
        var threes = 0
        var ones = 0
        for byte in digits.utf8 {
            guard byte.isDigit else { return nil }
            (threes, ones) = ((ones + byte.digitValue) % 10, threes)
        }
        return (10 - (threes * 3 + ones) % 10) % 10
    }

    /// Whether the last digit is the check digit of those before it.
    ///
    /// - Parameter digits: ASCII digits with their check digit.
    /// - Returns: False also where `digits` is empty or holds anything but ASCII digits.
    ///
    /// Rule: GS1 General Specifications, section 7.9.1.
    public static func isValid(_ digits: some StringProtocol) -> Bool {
        // The check digit itself has the weight 1.
        var threes = 0
        var ones = 0
        for byte in digits.utf8 {
            guard byte.isDigit else { return false }
            (threes, ones) = (ones, (threes + byte.digitValue) % 10)
        }
        return !digits.isEmpty && (threes * 3 + ones) % 10 == 0
    }

    /// The check digit that belongs behind a number of at most 17 digits.
    static func gs1(forNumber number: UInt64) -> UInt64 {
        var rest = number
        var sum: UInt64 = 0
        while rest > 0 {
            sum += rest % 10 * 3 + rest / 10 % 10
            rest /= 100
        }
        return (10 - sum % 10) % 10
    }
}

/// The verdict on a code's check digit.
public enum CheckDigitVerdict: String, Hashable, Sendable, CaseIterable {
    /// The check digit fits the rest.
    case valid
    /// The check digit does not fit the rest.
    case invalid
}
