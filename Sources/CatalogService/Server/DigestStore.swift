import Catalog
import Synchronization

/// Has digests of the catalog ready, so that a thousand followers may compare theirs.
///
/// Those of ranges of the usual size are made when somebody asks for the first time, and hold until
/// something changes in them: an import for one shop leaves those of the others. Smaller ranges, where
/// somebody looks closer, are made each time.
final class DigestStore: Sendable {
    /// Products that are looked at for one request where nothing is ready.
    private static let mostProducts = 10_000

    private let catalog: EmbeddedCatalog
    /// Another connection, which is free while digests are made.
    private let present: EmbeddedCatalog
    private let queue = SerialQueue("digests", limit: ServiceLimits.waiting)
    private let capacity: Int
    private let held = Mutex<[Held]>([])

    /// Digests, and of which shop's products they are; nil for all.
    private struct Held {
        let scope: CatalogScope?
        let listing: DigestListing
        /// ``EmbeddedCatalog/rereadings()`` before they were made.
        let rereadings: Int64
    }

    /// Makes nothing yet.
    ///
    /// - Parameters:
    ///   - catalog: The catalog's file.
    ///   - capacity: For how many shops digests are held; those made first go for others.
    /// - Throws: `CatalogError`.
    init(of catalog: String, capacity: Int = ServiceLimits.shopsWithDigests) throws {
        self.capacity = capacity
        self.catalog = try EmbeddedCatalog(path: catalog)
        present = try EmbeddedCatalog(path: catalog)
    }

    /// The digests that are asked for; it may take seconds.
    ///
    /// - Throws: ``ProblemDetails/busy``, `CatalogError`.
    func listing(_ request: DigestsRequest) async throws -> DigestListing {
        let isUsual = request.size == ServiceLimits.standardRange && request.range.before == nil
        if isUsual, let held = try held(for: request.scope, rereadings: present.rereadings()),
            try present.seen(in: request.scope).revision() == held.revision
        {
            return held.part(request)
        }
        return try await queue.run { [self] in
            let catalog = try catalog.seen(in: request.scope)
            guard isUsual else {
                return try catalog.digests(
                    of: request.range, size: request.size,
                    limit: min(request.limit, Self.mostProducts / request.size),
                    text: ProductText.line)
            }
            return try whole(catalog).part(request)
        }
    }

    private func held(for scope: CatalogScope?, rereadings: Int64) -> DigestListing? {
        held.withLock { held in
            held.first { $0.scope == scope && $0.rereadings == rereadings }?.listing
        }
    }

    private func whole(_ catalog: EmbeddedCatalog) throws -> DigestListing {
        let rereadings = try catalog.rereadings()
        let listing =
            try stillHeld(for: catalog, rereadings: rereadings)
            ?? catalog.digests(
                of: .all, size: ServiceLimits.standardRange, text: ProductText.line)
        let new = Held(scope: catalog.scope, listing: listing, rereadings: rereadings)
        held.withLock { held in
            if let place = held.firstIndex(where: { $0.scope == catalog.scope }) {
                held[place] = new
            } else {
                if held.count >= capacity { held.removeFirst() }
                held.append(new)
            }
        }
        return listing
    }

    /// The digests that are held, as those of the present revision, where nothing has changed since.
    private func stillHeld(
        for catalog: EmbeddedCatalog, rereadings: Int64
    ) throws -> DigestListing? {
        guard let listing = held(for: catalog.scope, rereadings: rereadings),
            let now = try catalog.revision(unchangedSince: ChangeCursor(listing.revision))
        else { return nil }
        return DigestListing(
            revision: now, total: listing.total, ranges: listing.ranges, next: listing.next)
    }
}

extension EmbeddedCatalog {
    /// The present revision, where nothing that is seen has changed since another: a revision may be one
    /// of other shops alone.
    ///
    /// - Parameter cursor: What the reader has.
    /// - Returns: The revision; nil where something has changed, or it cannot be told.
    /// - Throws: `CatalogError`.
    func revision(unchangedSince cursor: ChangeCursor?) throws -> CatalogRevision? {
        guard case .page(let page) = try changes(since: cursor, limit: 1),
            page.next == nil, page.changed.isEmpty, page.removed.isEmpty
        else { return nil }
        return page.revision
    }
}

extension DigestListing {
    /// The ranges from that on which holds the first id.
    fileprivate func part(_ request: DigestsRequest) -> DigestListing {
        let from = request.range.from ?? ""
        let first =
            ranges.firstIndex { range in
                range.range.before.map { from.isAhead(of: $0) } ?? true
            } ?? 0
        let part = ranges[first...].prefix(request.limit)
        return DigestListing(
            revision: revision, total: total, ranges: Array(part), next: part.last?.range.before)
    }
}

extension String {
    /// Whether this comes first in the order of bytes, which is SQLite's.
    func isAhead(of other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}
