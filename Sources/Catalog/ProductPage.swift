/// Products of a catalog in the order of their import, and how to go on.
package struct ProductPage: Sendable {
    /// The catalog's revision when the page was read.
    package let revision: CatalogRevision
    /// The products.
    package let products: [Product]
    /// Where the next page begins; nil on the last one.
    package let next: Int64?
    /// How many products there are on all pages.
    package let total: Int
}
