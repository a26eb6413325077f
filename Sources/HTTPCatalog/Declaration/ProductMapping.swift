package import WireText

/// Which parts of an answer are which fields of a product.
///
/// Each field is a list of sources, of which the first that is there counts; `null`, an empty text
/// and a text of white space count as missing.
package struct ProductMapping: Hashable, Sendable {
    /// An attribute and where it comes from.
    package struct Attribute: Hashable, Sendable {
        /// The attribute's name.
        package var name: String
        /// Where its value comes from.
        package var sources: [FieldSource]

        /// Makes an attribute.
        ///
        /// - Parameters:
        ///   - name: Its name.
        ///   - sources: Where its value comes from.
        package init(_ name: String, _ sources: [FieldSource]) {
            self.name = name
            self.sources = sources
        }
    }

    /// The list of products in the answer; nil where the answer is one product.
    package var items: JSONPointer?
    /// The id; an answer without one is no product.
    package var id: [FieldSource]
    /// The codes: all of these that are there, and of a list all elements.
    package var codes: [CodePlace]
    /// The name.
    package var name: [FieldSource]
    /// The price.
    package var price: PriceRule?
    /// What the price is for.
    package var unit: [FieldSource]
    /// The attributes, in order.
    package var attributes: [Attribute]
    /// How the answer is known to be about the code asked for; nil where it is not.
    package var verify: VerifyRule?

    /// Makes a mapping.
    ///
    /// - Parameters:
    ///   - items: The list of products in the answer.
    ///   - id: The id.
    ///   - codes: The codes.
    ///   - name: The name.
    ///   - price: The price.
    ///   - unit: What the price is for.
    ///   - attributes: The attributes.
    ///   - verify: How the answer is known to be about the code asked for.
    package init(
        items: JSONPointer? = nil, id: [FieldSource] = [], codes: [CodePlace] = [],
        name: [FieldSource] = [], price: PriceRule? = nil, unit: [FieldSource] = [],
        attributes: [Attribute] = [], verify: VerifyRule? = nil
    ) {
        self.items = items
        self.id = id
        self.codes = codes
        self.name = name
        self.price = price
        self.unit = unit
        self.attributes = attributes
        self.verify = verify
    }
}
