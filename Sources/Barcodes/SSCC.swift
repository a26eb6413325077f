/// A Serial Shipping Container Code: a pallet's or parcel's number, whose check digit is known to
/// be right.
public struct SSCC: Hashable, Sendable {
    private let number: UInt64

    /// Reads an SSCC and checks its last digit.
    ///
    /// - Parameter text: 18 ASCII digits; no application identifier.
    /// - Throws: `GS1KeyError.wrongLength`, `.notADigit` or `.wrongCheckDigit`.
    ///
    /// Rule: GS1 General Specifications, sections 3.3.1 and 7.9.1.
    public init(_ text: String) throws(GS1KeyError) {
        number = try GS1KeyError.number(text, length: 18)
    }

    /// Takes a number whose last digit is its check digit.
    init?(number: UInt64) {
        guard number < 1_000_000_000_000_000_000,
            CheckDigit.gs1(forNumber: number / 10) == number % 10
        else { return nil }
        self.number = number
    }
}

extension SSCC: CustomStringConvertible {
    /// The number as 18 digits.
    public var description: String { GTIN.digits(of: number, count: 18) }
}
