/// The result of looking up a product.
package enum LookupOutcome: Hashable, Sendable {
    /// The catalog has the product.
    case found(Match)
    /// The catalog answered, and has no such product.
    case notFound
    /// There is no catalog yet.
    case skipped
    /// The catalog could not answer.
    case failed(LookupFailure)
}
