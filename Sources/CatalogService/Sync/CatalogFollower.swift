package import Catalog
package import HTTPService
import HTTPTypes
package import WebAPI

/// Keeps an embedded catalog as the one that another keywedge serves.
package struct CatalogFollower: Sendable {
    /// Products asked for at once.
    private static let page = ServiceLimits.largestPage
    /// The most pages before the last one: a hundred million products.
    private static let mostPages = 100_000
    /// The most bytes of pages before the last one.
    private static let mostBytes: Int64 = 4 << 30
    /// How often it starts anew where the service does not know its own revision any more.
    private static let starts = 3

    private let url: Address
    private let token: BearerToken?
    private let client: APIClient
    /// The time for a page, repetitions included.
    var pageLimit = Duration.seconds(60)

    /// Makes a follower.
    ///
    /// - Parameters:
    ///   - url: Where the service is, without `/v1`.
    ///   - token: What is shown to it.
    ///   - transport: What carries requests; its limit for a content should be 64 MB or more.
    ///   - clock: What waits between repetitions.
    package init(
        of url: Address, token: BearerToken?, over transport: any Transport,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.url = url
        self.token = token
        client = APIClient(
            transport: transport,
            retries: .transient(tries: 3, waits: [.milliseconds(250), .milliseconds(500)]),
            clock: clock)
    }

    /// Takes over what has changed since the last time, or everything the first time.
    ///
    /// What was read is kept in a file beside the catalog until it is taken over: who was
    /// interrupted goes on there.
    ///
    /// - Parameters:
    ///   - catalog: The catalog, opened for writing.
    ///   - isAnew: Whether to take over everything although it was done before.
    ///   - mayEmpty: Whether all products of the service may go, where there were some.
    /// - Returns: What was done.
    /// - Throws: ``SyncError``, `FollowError`, `CatalogError`, `CancellationError`; the catalog is
    ///   as it was then.
    @discardableResult
    package func synchronise(
        _ catalog: EmbeddedCatalog, anew isAnew: Bool = false, allowingEmpty mayEmpty: Bool = false
    ) async throws -> SyncResult {
        let isInMemory = catalog.path == ":memory:"
        return try await synchronise(
            catalog, pages: isInMemory ? nil : Self.pages(of: catalog.path), anew: isAnew,
            allowingEmpty: mayEmpty)
    }

    /// The file in which pages for a catalog are put aside.
    static func pages(of path: String) -> String { path + ".sync" }

    /// Takes over what has changed, with the pages put aside in a file.
    func synchronise(
        _ catalog: EmbeddedCatalog, pages: String?, anew isAnew: Bool, allowingEmpty mayEmpty: Bool
    ) async throws -> SyncResult {
        var base = isAnew ? nil : try catalog.upstream()?.revision
        var requests = 0
        for start in 0..<Self.starts {
            let spool = try PageSpool(path: pages, source: source(since: base))
            if isAnew || start > 0 { try spool.clear() }
            guard let last = try await fetch(since: base, into: spool, counting: &requests) else {
                base = nil
                continue
            }
            let summary = try take(
                spool, last, since: base, into: catalog, allowingEmpty: mayEmpty)
            return SyncResult(
                summary: summary, revision: "\(last.revision)", isWhole: base == nil,
                requests: requests)
        }
        throw SyncError.unsteady(url: "\(url)")
    }

    /// What pages belong together.
    private func source(since base: String?) -> String {
        "keywedge catalog sync 1 \(url) \(base ?? "all")"
    }

    /// Fetches all pages, from the first that is not in the spool.
    ///
    /// - Returns: The last one, which is not in the spool; nil where the service does not know the
    ///   revision.
    private func fetch(
        since base: String?, into spool: PageSpool, counting requests: inout Int
    ) async throws -> ChangesPage? {
        var since = try resume(spool) ?? base
        var order = PageOrder(base: base, place: since)
        while true {
            try Task.checkCancellation()
            let endpoint = ChangesEndpoint(
                base: url, since: since, limit: Self.page, token: token)
            let outcome = await client.call(endpoint, within: pageLimit)
            requests += outcome.attempts.count
            switch outcome.result {
            case .failure(let error):
                try Task.checkCancellation()
                throw SyncError.call(error, url: "\(url)")
            case .success(.unknownRevision): return nil
            case .success(.page(let page, let payload)):
                do throws(PageOrder.Problem) {
                    let hasChanges = spool.count > 0 || !page.changes.isEmpty
                    try order.take(page, hasChanges: hasChanges)
                } catch {
                    spool.remove()
                    throw SyncError(error, url: "\(url)")
                }
                guard let next = page.next else { return page }
                guard spool.count < Self.mostPages, spool.byteCount < Self.mostBytes else {
                    spool.remove()
                    throw SyncError.endless(url: "\(url)")
                }
                try spool.append(payload)
                since = "\(next)"
            }
        }
    }

    /// Where to go on behind the pages in the spool; nil where there are none.
    private func resume(_ spool: PageSpool) throws(SyncError) -> String? {
        guard let payload = spool.last else { return nil }
        if let next = try? Self.page(payload).next { return "\(next)" }
        try spool.clear()
        return nil
    }

    /// Writes all pages into the catalog.
    private func take(
        _ spool: PageSpool, _ last: ChangesPage, since base: String?,
        into catalog: EmbeddedCatalog, allowingEmpty mayEmpty: Bool
    ) throws -> FollowSummary {
        do {
            // Nothing has changed: nothing is written either.
            if base == "\(last.revision)", last.changes.isEmpty, spool.count == 0 {
                return FollowSummary()
            }
            var pages = [last.changes]
            let upstream = Upstream(url: "\(url)", revision: "\(last.revision)")
            let summary = try catalog.follow(upstream, since: base, allowingEmpty: mayEmpty) {
                try Task.checkCancellation()
                return try Self.part(spool) ?? pages.popLast()
            }
            spool.remove()
            return summary
        } catch let error as CancellationError {
            throw error
        } catch FollowError.emptied {
            spool.remove()
            throw SyncError.emptied(url: "\(url)")
        } catch {
            // Whatever was wrong shall not be met again and again.
            spool.remove()
            throw error
        }
    }

    /// The next part in the spool; nil behind the last.
    private static func part(_ spool: PageSpool) throws -> UpstreamChanges? {
        try spool.take().map { try page($0).changes }
    }

    /// A page that was put aside.
    private static func page(_ payload: [UInt8]) throws(TransformError) -> ChangesPage {
        try Response(status: .ok, payload: payload).decoded()
    }

}

extension SyncError {
    /// What is wrong with a page, and whose it is.
    fileprivate init(_ problem: PageOrder.Problem, url: String) {
        self =
            switch problem {
            case .endless: .endless(url: url)
            case .disordered(let before, let now): .disordered(before: before, now: now, url: url)
            }
    }
}

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
}
