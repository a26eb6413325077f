/// What an import did.
public struct ImportSummary: Hashable, Sendable {
    /// Products that were not in the catalog before.
    public var added = 0
    /// Products that have changed.
    public var updated = 0
    /// Products that were as the file has them.
    public var unchanged = 0
    /// Invalid rows that were left out.
    public var skipped = 0

    /// A summary of nothing.
    public init() {}

    /// The rows read, without the header.
    public var rows: Int { added + updated + unchanged + skipped }
}
