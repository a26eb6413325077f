/// What following another catalog did.
package struct FollowSummary: Hashable, Sendable {
    /// Products that were not in the catalog before.
    package var added = 0
    /// Products that have changed.
    package var updated = 0
    /// Products that were as the other catalog has them.
    package var unchanged = 0
    /// Products that are gone.
    package var removed = 0

    /// A summary of nothing.
    package init() {}
}
