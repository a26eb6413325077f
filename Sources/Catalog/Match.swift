/// What a lookup found: a product, and whether others have the same code.
public struct Match: Hashable, Sendable {
    /// What the lookup went by.
    public enum Key: String, Hashable, Sendable {
        /// The product's GTIN, in whatever spelling.
        case gtin
        /// The text as typed.
        case text
    }

    /// Most candidates a match lists.
    public static let candidateLimit = 16

    /// What the lookup went by.
    public var key: Key
    /// Every product with that code, in the order of their import: at least one, at most
    /// `candidateLimit`.
    public private(set) var candidates: [Product]

    /// Makes a match.
    ///
    /// - Parameters:
    ///   - key: What the lookup went by.
    ///   - product: The product found.
    ///   - others: Further products with the same code.
    public init(key: Key, product: Product, others: [Product] = []) {
        self.key = key
        candidates = [product] + others
    }

    /// The product found; the one imported first where several have the code.
    public var product: Product { candidates[0] }

    /// Whether several products have the code.
    public var isAmbiguous: Bool { candidates.count > 1 }
}
