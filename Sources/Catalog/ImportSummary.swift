/// What an import did.
package struct ImportSummary: Hashable, Sendable {
    /// Products that were not in the catalog before.
    package var added = 0
    /// Products that have changed.
    package var updated = 0
    /// Products that were as the file has them.
    package var unchanged = 0
    /// Invalid rows that were left out.
    package var skipped = 0

    /// A summary of nothing.
    package init() {}

    /// The rows read, without the header.
    package var rows: Int { added + updated + unchanged + skipped }
}
