/// Where a product's price comes from, and how it is written there.
package struct PriceRule: Hashable, Sendable {
    /// How an amount is written.
    package enum Notation: Hashable, Sendable {
        /// As a decimal number, or as a text with one.
        case decimal
        /// As a whole number of the currency's minor unit: 349 is 3.49 EUR, and 349 JPY.
        case minorUnits
        /// As a whole number with so many decimals left off, whatever the currency.
        case scaled(decimals: Int)
    }

    /// The amount: the first of these that is there.
    package var amount: [AnswerPlace]
    /// How the amount is written.
    package var notation: Notation
    /// The currency: the first of these that is there.
    package var currency: [FieldSource]

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - amount: Where the amount is.
    ///   - notation: How it is written.
    ///   - currency: Where the currency is, or which it is.
    package init(
        amount: [AnswerPlace], notation: Notation = .decimal, currency: [FieldSource] = []
    ) {
        self.amount = amount
        self.notation = notation
        self.currency = currency
    }
}
