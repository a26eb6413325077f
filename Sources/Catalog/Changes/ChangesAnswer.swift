/// What a catalog says of its changes.
package enum ChangesAnswer: Sendable {
    /// These are the next.
    case page(ChangePage)
    /// The revision asked for is none of this catalog, or too long ago: the reader has to start
    /// anew. With the catalog's present revision.
    case unknownRevision(now: CatalogRevision)
}
