public import WireText

/// Which parts of an answer are which fields of a product.
///
/// Each field is a list of sources, of which the first that is there counts; `null`, an empty text
/// and a text of white space count as missing.
public struct ProductMapping: Hashable, Sendable {
    /// An attribute and where it comes from.
    public struct Attribute: Hashable, Sendable {
        /// The attribute's name.
        public var name: String
        /// Where its value comes from.
        public var sources: [FieldSource]

        /// Makes an attribute.
        ///
        /// - Parameters:
        ///   - name: Its name.
        ///   - sources: Where its value comes from.
        public init(_ name: String, _ sources: [FieldSource]) {
            self.name = name
            self.sources = sources
        }
    }

    /// The list of products in the answer; nil where the answer is one product.
    public var items: JSONPointer?
    /// The id; an answer without one is no product.
    public var id: [FieldSource]
    /// The codes: all of these that are there, and of a list all elements.
    public var codes: [CodePlace]
    /// The name.
    public var name: [FieldSource]
    /// The price.
    public var price: PriceRule?
    /// What the price is for.
    public var unit: [FieldSource]
    /// The attributes, in order.
    public var attributes: [Attribute]
    /// How the answer is known to be about the code asked for; nil where it is not.
    public var verify: VerifyRule?

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
    public init(
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
