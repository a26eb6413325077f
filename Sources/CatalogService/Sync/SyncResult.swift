public import Catalog

/// What a synchronisation did.
public struct SyncResult: Hashable, Sendable {
    /// What became of the products.
    public let summary: FollowSummary
    /// The service's revision the catalog is at.
    public let revision: String
    /// Whether all products were read, and not only what has changed.
    public let isWhole: Bool
    /// How many requests it took.
    public let requests: Int
}
