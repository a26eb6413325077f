/// An amount of money: a decimal, exactly as written, and its currency.
///
/// A value that exists is valid: not negative, at most 12 digits ahead of the point and 6 behind.
/// The amount is canonical, so that equal prices are equal values: no needless zeros on the left,
/// at least as many decimals as the currency usually has, and beyond those no zeros on the right.
package struct Price: Hashable, Sendable {
    /// The amount with a decimal point, for instance `3.49`; JPY has none: `349`.
    package let amount: String
    /// The currency.
    package let currency: Currency

    /// Takes an amount as programs write it.
    ///
    /// - Parameters:
    ///   - amount: ASCII digits with at most one decimal point, for instance `3.49` or `1.999`.
    ///   - currency: The currency.
    /// - Throws: `PriceError.notANumber`, `.negative` or `.tooLong`.
    package init(amount: String, currency: Currency) throws(PriceError) {
        let number = try DecimalText(amount)
        guard number.separator != UInt8(ascii: ",") else { throw .notANumber(text: amount) }
        self.init(number, currency: currency)
    }

    /// Takes a number already read.
    init(_ number: DecimalText, currency: Currency) {
        amount = number.canonical(minimumDecimals: currency.minorDigits)
        self.currency = currency
    }

    /// Takes an amount that was written by this type.
    init(canonical amount: String, currency: Currency) {
        self.amount = amount
        self.currency = currency
    }
}

extension Price: CustomStringConvertible {
    /// The amount and the currency, for instance `3.49 EUR`.
    package var description: String { "\(amount) \(currency)" }
}
