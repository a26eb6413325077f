import Synchronization

/// How many products were found by searches in one revision of a catalog.
///
/// Counting reads every product; the pages of one search need it only once.
package final class ProductCounts: Sendable {
    private struct State {
        var revision: CatalogRevision?
        var counts: [ProductSearch: Int] = [:]
    }

    private let state = Mutex(State())
    private let capacity: Int

    /// Makes an empty memory.
    ///
    /// - Parameter capacity: How many searches are remembered.
    package init(capacity: Int = 64) {
        self.capacity = capacity
    }

    /// The number that was counted, or that is counted now.
    func count(
        of search: ProductSearch, in revision: CatalogRevision, _ count: () throws -> Int
    ) rethrows -> Int {
        let known = state.withLock { state in
            state.revision == revision ? state.counts[search] : nil
        }
        if let known { return known }
        let new = try count()
        state.withLock { state in
            if state.revision != revision || state.counts.count >= capacity {
                state.counts.removeAll()
                state.revision = revision
            }
            state.counts[search] = new
        }
        return new
    }
}
