/// What became of a product that was to be taken out of a catalog.
package enum RemovalOutcome: Hashable, Sendable {
    /// It was taken out; it had this id, and a name or none.
    case removed(id: String, name: String?)
    /// It was named more than once, and is taken out already.
    case repeated(id: String)
    /// The catalog had no such product.
    case missing
}
