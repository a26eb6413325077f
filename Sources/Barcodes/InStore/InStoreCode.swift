/// The content of an in-store code (a restricted circulation number).
public struct InStoreCode: Hashable, Sendable {
    /// Where an in-store number is valid: in a region or within a company.
    public enum Scope: String, Hashable, Sendable, CaseIterable {
        /// Valid in one country or region, under the rules of its GS1 organisation.
        case region
        /// The number is valid within one company, under the company's own rules.
        case company
    }

    /// Where the in-store number is valid: in a region or within a company.
    public let scope: Scope
    /// The item's number; nil if no pattern shows which digits form it.
    public let item: String?
    /// The price; nil if no pattern fits, if the pattern used has no price, or if the price's check digit is wrong.
    public let price: DecimalNumber?
    /// The price's currency (ISO 4217); nil if there is no price or region, or if the region's codes have no prices.
    public let currency: String?
    /// The weight, in kilograms for built-in patterns; nil if no pattern shows it, or if its check digit is wrong.
    public let weight: DecimalNumber?
    /// The number of pieces; nil if no pattern shows which digits form it, or if their check digit is wrong.
    public let count: Int?
    /// Whether the check digit of the price, weight or count is correct; nil if the code has no such digit.
    public let valueCheckDigit: CheckDigitVerdict?
    /// The texts under which a catalog may list the item, most specific first; empty if no pattern fits.
    public let listings: [String]
}
