/// A part of what has changed in a catalog that is followed.
package struct UpstreamChanges: Sendable {
    /// Products that are new there, or have changed.
    package var changed: [Product]
    /// The ids of products that are gone there.
    package var removed: [String]

    /// Whether nothing has changed.
    package var isEmpty: Bool { changed.isEmpty && removed.isEmpty }

    /// Makes a part.
    ///
    /// - Parameters:
    ///   - changed: Products that are new there, or have changed.
    ///   - removed: The ids of products that are gone there.
    package init(changed: [Product] = [], removed: [String] = []) {
        self.changed = changed
        self.removed = removed
    }
}
