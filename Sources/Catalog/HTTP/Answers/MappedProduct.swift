/// A product read from an answer, and which place gave which field.
struct MappedProduct: Equatable, Sendable {
    /// A field and where its value was.
    struct Origin: Equatable, Sendable {
        /// The field: `id`, `name`, `price`, `unit`, `code` or `attributes.NAME`.
        var field: String
        /// The place, as the declaration writes it; a constant in quotation marks.
        var place: String
    }

    /// The product.
    var product: Product
    /// Which place gave which field.
    var origins: [Origin]
}
