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
    /// The price; nil if no valid price was read.
    public let price: DecimalNumber?
    /// The price's currency (ISO 4217); nil if there is no price or its currency is unknown.
    public let currency: String?
    /// The weight, in kilograms for built-in patterns; nil if no valid weight was read.
    public let weight: DecimalNumber?
    /// The number of pieces; nil if no valid number was read.
    public let count: Int?
    /// Whether the check digit of the price, weight or count is correct; nil if it has no check digit.
    public let valueCheckDigit: CheckDigitVerdict?
    /// The texts under which a catalog may list the item, most specific first; empty if no pattern fits.
    public let listings: [String]
}
