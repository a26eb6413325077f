/// What a lookup found: a product, and whether others have the same code.
package struct Match: Hashable, Sendable {
    /// What the lookup went by.
    package enum Key: String, Hashable, Sendable {
        /// The product's GTIN, in whatever spelling.
        case gtin
        /// The text as typed.
        case text
    }

    /// Most candidates a match lists.
    package static let candidateLimit = 16

    /// What the lookup went by.
    package var key: Key
    /// The products with that code: at least one, at most `candidateLimit`.
    package private(set) var candidates: [Product]

    /// Makes a match.
    package init(key: Key, product: Product, others: [Product] = []) {
        self.key = key
        candidates = [product] + others
    }

    /// The product found; of several in the embedded catalog, the one whose id comes first.
    package var product: Product { candidates[0] }

    /// What was found, with the prices of a time.
    package func priced(at time: Int64) -> Match {
        var match = self
        match.candidates = candidates.map { $0.priced(at: time) }
        return match
    }

    /// Whether several products have the code.
    package var isAmbiguous: Bool { candidates.count > 1 }
}
