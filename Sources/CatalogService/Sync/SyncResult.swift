package import Catalog

/// What a synchronisation did.
package struct SyncResult: Hashable, Sendable {
    /// What became of the products.
    package let summary: FollowSummary
    /// The service's revision the catalog is at.
    package let revision: String
    /// Whether all products were read, and not only what has changed.
    package let isWhole: Bool
    /// How many requests it took.
    package let requests: Int
    /// Whether the service waits for something to tell, so that it can be asked again at once; nil where
    /// it was not asked to.
    package let hasWaited: Bool?
    /// What was wrong with the file of the catalog, so that pages were read instead; nil where nothing
    /// was.
    package let snapshotProblem: String?
    /// How many ranges of ids differed from the service's; 0 where none did.
    ///
    /// Both were at the same revision, and all was read again.
    package var differingRanges = 0
    /// Why nothing was compared, or nothing again behind the mending; nil where it was, or where the
    /// catalog is not to be the service's.
    package var comparisonProblem: String?
}

/// How far a synchronisation is.
struct SyncCourse {
    /// For how long the service may wait for something to tell.
    var wait: Duration?
    var mayTakeSnapshot: Bool
    var summary = FollowSummary()
    var isWhole = false
    var requests = 0
    var hasWaited: Bool?
    var problem: String?

    init(wait: Duration?, mayTakeSnapshot: Bool) {
        self.wait = wait
        self.mayTakeSnapshot = mayTakeSnapshot
    }

    func result(at revision: String) -> SyncResult {
        SyncResult(
            summary: summary, revision: revision, isWhole: isWhole, requests: requests,
            hasWaited: hasWaited, snapshotProblem: problem)
    }
}

extension FollowSummary {
    mutating func add(_ other: FollowSummary) {
        added += other.added
        updated += other.updated
        unchanged += other.unchanged
        removed += other.removed
    }
}
