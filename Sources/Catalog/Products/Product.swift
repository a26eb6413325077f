/// What a shop sells under one or more codes.
///
/// What is absent is nil or left out; no text in it is empty.
package struct Product: Hashable, Sendable {
    /// What the shop calls it by; unique in a catalog.
    package var id: String
    /// Its codes as written: GTINs, SKUs, PLUs, free text; the main one first.
    package var codes: [String]
    /// Its name.
    package var name: String?
    /// Its price.
    package var price: Price?
    /// Prices for a time, which count ahead of `price` while they hold: the first that holds.
    package var datedPrices: [DatedPrice] = []
    /// What the price is for: `pcs`, `kg`, `100 g`.
    package var unit: String?
    /// Whatever else the catalog knows about it.
    package var attributes: [String: String]

    /// Makes a product.
    ///
    /// - Parameters:
    ///   - id: What the shop calls it by.
    ///   - codes: Its codes as written, the main one first.
    ///   - name: Its name.
    ///   - price: Its price.
    ///   - unit: What the price is for.
    ///   - attributes: Whatever else there is to know.
    package init(
        id: String, codes: [String] = [], name: String? = nil, price: Price? = nil,
        unit: String? = nil, attributes: [String: String] = [:]
    ) {
        self.id = id
        self.codes = codes
        self.name = name
        self.price = price
        self.unit = unit
        self.attributes = attributes
    }

    /// The attributes in the order of their names (by Unicode scalars, on every machine the same).
    package var sortedAttributes: [(name: String, value: String)] {
        attributes.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
            .map { (name: $0.key, value: $0.value) }
    }
}
