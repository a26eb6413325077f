import Catalog
import Synchronization

/// Has digests of the catalog ready, so that a thousand followers may compare theirs.
///
/// Those of ranges of the usual size are made once for a revision, when somebody asks for the first
/// time; smaller ranges, where somebody looks closer, each time.
final class DigestStore: Sendable {
    /// Products that are looked at for one request where nothing is ready.
    private static let mostProducts = 10_000
    /// For how many shops digests are held; then all are forgotten.
    private static let mostShops = 100

    private let catalog: EmbeddedCatalog
    /// Another connection, which is free while digests are made.
    private let present: EmbeddedCatalog
    private let queue = SerialQueue("digests", limit: ServiceLimits.waiting)
    /// By the shop whose products they are of; nil for all.
    private let held = Mutex<[CatalogScope?: DigestListing]>([:])

    /// Makes nothing yet.
    ///
    /// - Parameter catalog: The catalog's file.
    /// - Throws: `CatalogError`.
    init(of catalog: String) throws {
        self.catalog = try EmbeddedCatalog(path: catalog)
        present = try EmbeddedCatalog(path: catalog)
    }

    /// The digests that are asked for; it may take seconds.
    ///
    /// - Throws: ``ProblemDetails/busy``, `CatalogError`.
    func listing(_ request: DigestsRequest) async throws -> DigestListing {
        let isUsual = request.size == ServiceLimits.standardRange && request.range.before == nil
        if isUsual,
            let held = try held(for: request.scope, of: present.seen(in: request.scope))
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

    private func held(
        for scope: CatalogScope?, of catalog: EmbeddedCatalog
    ) throws -> DigestListing? {
        guard let held = held.withLock({ $0[scope] }), try catalog.revision() == held.revision
        else { return nil }
        return held
    }

    private func whole(_ catalog: EmbeddedCatalog) throws -> DigestListing {
        if let held = try held(for: catalog.scope, of: catalog) { return held }
        let all = try catalog.digests(
            of: .all, size: ServiceLimits.standardRange, text: ProductText.line)
        held.withLock { held in
            if held.count >= Self.mostShops { held.removeAll() }
            held[catalog.scope] = all
        }
        return all
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
