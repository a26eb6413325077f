/// What changed in a catalog, or a part of it.
///
/// A reader that takes all pages has the catalog as it was when the last one was read, whatever was
/// imported meanwhile.
package struct ChangePage: Sendable {
    /// The catalog's revision when the page was read; where this is the last page, the reader has
    /// everything up to it.
    package let revision: CatalogRevision
    /// Products that are new or have changed.
    package let changed: [Product]
    /// The ids of products that are gone; also of some the reader has never seen.
    package let removed: [String]
    /// Where to go on; nil on the last page.
    package let next: ChangeCursor?
}
