import Catalog
import Synchronization

/// Has digests of the catalog ready, so that a thousand followers may compare theirs.
///
/// Those of ranges of the usual size are made once for a revision, when somebody asks for the first
/// time; smaller ranges, where somebody looks closer, each time.
final class DigestStore: Sendable {
    /// Products that are looked at for one request where nothing is ready.
    private static let mostProducts = 10_000

    private let catalog: EmbeddedCatalog
    /// Another connection, which is free while digests are made.
    private let present: EmbeddedCatalog
    private let queue = SerialQueue("digests", limit: ServiceLimits.waiting)
    private let held = Mutex<DigestListing?>(nil)

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
        if isUsual, let held = held.withLock({ $0 }), try present.revision() == held.revision {
            return held.part(request)
        }
        return try await queue.run { [self] in
            guard isUsual else {
                return try catalog.digests(
                    of: request.range, size: request.size,
                    limit: min(request.limit, Self.mostProducts / request.size),
                    text: ProductText.line)
            }
            let all = try whole()
            return all.part(request)
        }
    }

    private func whole() throws -> DigestListing {
        if let held = held.withLock({ $0 }), try catalog.revision() == held.revision { return held }
        let all = try catalog.digests(
            of: .all, size: ServiceLimits.standardRange, text: ProductText.line)
        held.withLock { $0 = all }
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
