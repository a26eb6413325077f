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
    /// The item's number; nil if no pattern says which digits these are.
    public let item: String?
    /// The price of the piece; nil also if its check digit is wrong, as with weight and count.
    public let price: DecimalNumber?
    /// The price's currency (ISO 4217), nil if the region is unknown.
    public let currency: String?
    /// The weight of the piece; by the built-in layouts in kilograms.
    public let weight: DecimalNumber?
    /// How many pieces.
    public let count: Int?
    /// The verdict on the check digit of price, weight or count; nil if there is none.
    public let valueCheckDigit: CheckDigitVerdict?
    /// The texts a catalog may list the item under, the most specific first; empty if no pattern
    /// fits.
    public let listings: [String]
}
