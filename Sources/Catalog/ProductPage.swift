/// Products of a catalog in the order of their import, and how to go on.
public struct ProductPage: Sendable {
    /// The catalog's revision when the page was read.
    public let revision: CatalogRevision
    /// The products.
    public let products: [Product]
    /// Where the next page begins; nil on the last one.
    public let next: Int64?
    /// How many products there are on all pages.
    public let total: Int
}
