/// A Global Location Number: a party's or place's number, whose check digit is known to be right.
public struct GLN: Hashable, Sendable {
    private let number: UInt64

    /// Reads a GLN and checks its last digit.
    ///
    /// - Parameter text: 13 ASCII digits; no application identifier.
    /// - Throws: `GS1KeyError.wrongLength`, `.notADigit` or `.wrongCheckDigit`.
    ///
    /// Rule: GS1 General Specifications, sections 2.4.4 and 7.9.1.
    public init(_ text: String) throws(GS1KeyError) {
        number = try GS1KeyError.number(text, length: 13)
    }
}

extension GLN: CustomStringConvertible {
    /// The number as 13 digits.
    public var description: String { GTIN.digits(of: number, count: 13) }
}
