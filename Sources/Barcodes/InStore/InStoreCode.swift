/// What an in-store code (a restricted circulation number) holds.
public struct InStoreCode: Hashable, Sendable {
    /// Where the number has its meaning.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// In a country or region, by the rules of its GS1 organisation.
        case region
        /// In one company, by its own rules.
        case company
    }

    /// Where the number has its meaning.
    public let scope: Scope
    /// The digits of the item; nil where no rule tells which they are.
    public let item: String?
    /// The price of the piece.
    public let price: DecimalNumber?
    /// The price's currency (ISO 4217), where the region tells.
    public let currency: String?
    /// The weight of the piece; by the built-in layouts in kilograms.
    public let weight: DecimalNumber?
    /// How many pieces.
    public let count: Int?
    /// The verdict on the check digit of price, weight or count; nil where there is none.
    public let valueCheckDigit: CheckDigitVerdict?
    /// The number with zeros for price, weight or count: the one to look the item up with.
    public let lookupGTIN: GTIN
}
