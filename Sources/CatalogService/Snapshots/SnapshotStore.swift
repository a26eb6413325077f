import Catalog
import Synchronization

/// Has the catalog as a file ready, made when it is asked for.
///
/// One is made for a revision, in a place beside the catalog, and is still there after a restart. Where
/// the catalog changes all the time, one that is a minute old will do, unless a tenth has changed since:
/// the rest comes as changes.
final class SnapshotStore: Sendable {
    /// For how long one of an earlier revision is given.
    private let rest: Duration
    /// Requests that wait while one is made.
    private static let waiting = 4096

    private let catalog: EmbeddedCatalog
    private let path: String
    private let queue = SerialQueue("snapshots", limit: waiting)
    private let held = Mutex<Snapshot?>(nil)

    /// Makes nothing yet.
    ///
    /// - Parameters:
    ///   - catalog: The catalog's file.
    ///   - rest: For how long one of an earlier revision is given.
    /// - Throws: `CatalogError`.
    init(of catalog: String, rest: Duration = .seconds(60)) throws {
        self.catalog = try EmbeddedCatalog(path: catalog)
        path = catalog + ".snapshot"
        self.rest = rest
    }

    /// The catalog as a file; it may take seconds.
    ///
    /// - Throws: ``ProblemDetails/busy``, `CatalogError`, and why no file can be made.
    func snapshot() async throws -> Snapshot {
        try await queue.run { [self] in
            let (rereadings, revision) = (try catalog.rereadings(), try catalog.revision())
            if let last = held.withLock({ $0 }), last.rereadings == rereadings,
                try isOfUse(last, at: revision)
            {
                return last
            }
            let now = ContinuousClock.now
            if let kept = Snapshot.open(path, made: now), kept.revision == revision,
                kept.rereadings == rereadings
            {
                held.withLock { $0 = kept }
                return kept
            }
            try Snapshot.make(path, of: catalog)
            guard let new = Snapshot.open(path, made: .now) else {
                throw SyncError.appeared(path: path)
            }
            held.withLock { $0 = new }
            return new
        }
    }

    private func isOfUse(_ snapshot: Snapshot, at revision: CatalogRevision) throws -> Bool {
        if snapshot.revision == revision { return true }
        guard snapshot.made.duration(to: .now) < rest,
            let extent = try catalog.extent(since: snapshot.revision)
        else { return false }
        return extent.changes < extent.products / 10
    }
}
