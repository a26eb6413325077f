/// A part of what has changed in a catalog that is followed.
public struct UpstreamChanges: Sendable {
    /// Products that are new there, or have changed.
    public var changed: [Product]
    /// The ids of products that are gone there.
    public var removed: [String]

    /// Whether nothing has changed.
    public var isEmpty: Bool { changed.isEmpty && removed.isEmpty }

    /// Makes a part.
    ///
    /// - Parameters:
    ///   - changed: Products that are new there, or have changed.
    ///   - removed: The ids of products that are gone there.
    public init(changed: [Product] = [], removed: [String] = []) {
        self.changed = changed
        self.removed = removed
    }
}
