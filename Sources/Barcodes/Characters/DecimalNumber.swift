/// A decimal fraction as it stands in a code, not rounded.
public struct DecimalNumber: Hashable, Sendable {
    /// The digits as a whole number.
    public let significand: UInt64
    /// How many of the digits stand behind the decimal point.
    public let decimals: Int

    /// A decimal fraction.
    ///
    /// - Parameters:
    ///   - significand: The digits as a whole number.
    ///   - decimals: How many of the digits stand behind the decimal point; below 0 counts as 0.
    public init(significand: UInt64, decimals: Int) {
        self.significand = significand
        self.decimals = max(0, decimals)
    }
}

extension DecimalNumber: CustomStringConvertible {
    /// The number with a decimal point, and a digit ahead of it: `0.49`.
    public var description: String {
        let digits = String(significand)
        guard decimals > 0 else { return digits }
        let padded =
            String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
        return padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
