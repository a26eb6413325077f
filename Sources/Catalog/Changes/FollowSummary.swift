/// What following another catalog did.
public struct FollowSummary: Hashable, Sendable {
    /// Products that were not in the catalog before.
    public var added = 0
    /// Products that have changed.
    public var updated = 0
    /// Products that were as the other catalog has them.
    public var unchanged = 0
    /// Products that are gone.
    public var removed = 0

    /// A summary of nothing.
    public init() {}
}
