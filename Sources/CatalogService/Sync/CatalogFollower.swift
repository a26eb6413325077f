package import Catalog
package import HTTPService
package import WebAPI
import WireText

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

    let url: Address
    let token: BearerToken?
    /// The shop as which it asks; nil for all articles, or the shop of the token.
    let scope: CatalogScope?
    let client: APIClient
    /// The time for a page, repetitions included.
    var pageLimit = Duration.seconds(60)

    /// Makes a follower.
    ///
    /// - Parameters:
    ///   - url: Where the service is, without `/v1`.
    ///   - token: What is shown to it.
    ///   - scope: The shop as which it asks; nil for all articles, or the shop of the token.
    ///   - transport: What carries requests; its limit for a content should be 64 MB or more.
    ///   - clock: What waits between repetitions.
    package init(
        of url: Address, token: BearerToken?, as scope: CatalogScope? = nil,
        over transport: any Transport,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.url = url
        self.token = token
        self.scope = scope
        client = APIClient(
            transport: transport,
            retries: .transient(tries: 3, waits: [.milliseconds(250), .milliseconds(500)]),
            clock: clock)
    }

    /// Takes over what has changed since the last time, or everything the first time: as a file where
    /// that is the shorter way.
    ///
    /// What was read is kept in a file beside the catalog until it is taken over: who was
    /// interrupted goes on there.
    ///
    /// - Parameters:
    ///   - catalog: The catalog, opened for writing.
    ///   - isAnew: Whether to take over everything although it was done before.
    ///   - mayEmpty: Whether all products of the service may go, where there were some.
    ///   - wait: For how long the service may wait for something to tell; nil for not at all.
    /// - Returns: What was done.
    /// - Throws: ``SyncError``, `FollowError`, `CatalogError`, `CancellationError`; the catalog is
    ///   as it was then.
    @discardableResult
    package func synchronise(
        _ catalog: EmbeddedCatalog, anew isAnew: Bool = false, allowingEmpty mayEmpty: Bool = false,
        waiting wait: Duration? = nil
    ) async throws -> SyncResult {
        let isInMemory = catalog.path == ":memory:"
        return try await synchronise(
            .catalog(catalog), pages: isInMemory ? nil : Self.pages(of: catalog.path),
            anew: isAnew, allowingEmpty: mayEmpty, waiting: wait)
    }

    /// The file in which pages for a catalog are put aside.
    static func pages(of path: String) -> String { path + ".sync" }

    /// Takes over what has changed, with the pages put aside in a file, and compares.
    func synchronise(
        _ target: SyncTarget, pages: String?, anew isAnew: Bool, allowingEmpty mayEmpty: Bool,
        waiting wait: Duration?
    ) async throws -> SyncResult {
        var target = target
        var result = try await takeOver(
            into: &target, pages: pages, anew: isAnew, allowingEmpty: mayEmpty, waiting: wait)
        guard case .catalog(let catalog) = target, target.path != nil else { return result }
        try await compare(catalog, noting: &result) {
            _ = try await takeOver(
                into: &target, pages: pages, anew: true, allowingEmpty: mayEmpty, waiting: nil)
        }
        return result
    }

    private func takeOver(
        into target: inout SyncTarget, pages: String?, anew isAnew: Bool,
        allowingEmpty mayEmpty: Bool, waiting wait: Duration?
    ) async throws -> SyncResult {
        var base = isAnew ? nil : try target.upstream()?.revision
        // No longer than the service waits: it shall not keep a register for a day.
        var course = SyncCourse(
            wait: wait.map { min($0, ChangeWaiters.longest) }, mayTakeSnapshot: target.path != nil)
        var start = 0
        while start < Self.starts {
            let spool = try PageSpool(path: pages, source: source(since: base))
            if isAnew || start > 0 { try spool.clear() }
            switch try await fetch(since: base, into: spool, for: target.path, &course) {
            case .unknownRevision:
                base = nil
                start += 1
            case .snapshotIsShorter:
                course.mayTakeSnapshot = false
                let outcome = try await takeSnapshot(
                    into: &target, allowingEmpty: mayEmpty, counting: &course.requests)
                switch outcome {
                case .taken(let summary, let revision):
                    base = revision
                    course.summary.add(summary)
                    course.isWhole = true
                case .none(let problem): course.problem = problem
                }
            case .last(let page, let chain):
                course.isWhole = course.isWhole || base == nil
                course.summary.add(
                    try take(
                        spool, page, chain, since: base, into: target, allowingEmpty: mayEmpty))
                return course.result(at: "\(page.revision)")
            }
        }
        throw SyncError.unsteady(url: "\(url)")
    }

    /// What pages belong together.
    private func source(since base: String?) -> String {
        "keywedge catalog sync 1 \(url) \(base ?? "all")" + (scope.map { " \($0)" } ?? "")
    }

    /// What came of asking for pages.
    private enum Fetched {
        /// All are there; the last one is not in the spool. With the services on the way.
        case last(ChangesPage, chain: [String])
        /// The service does not know the revision.
        case unknownRevision
        /// There are so many that all of the catalog is shorter.
        case snapshotIsShorter
    }

    /// Fetches all pages, from the first that is not in the spool.
    private func fetch(
        since base: String?, into spool: PageSpool, for path: String?, _ course: inout SyncCourse
    ) async throws -> Fetched {
        var since = try resume(spool) ?? base
        var order = PageOrder(base: base, place: since)
        while true {
            try Task.checkCancellation()
            let wait = spool.count == 0 && since == base && base != nil ? course.wait : nil
            let endpoint = ChangesEndpoint(
                base: url, since: since, limit: Self.page, token: token, scope: scope,
                wait: wait)
            let outcome = await client.call(endpoint, within: pageLimit + (wait ?? .zero))
            course.requests += outcome.attempts.count
            switch outcome.result {
            case .failure(let error):
                try Task.checkCancellation()
                throw SyncError.call(error, url: "\(url)")
            case .success(.unknownRevision): return .unknownRevision
            case .success(.page(let page, let payload, let chain, let hasWaited)):
                if wait != nil { course.hasWaited = hasWaited }
                course.wait = nil
                guard let chain else { throw SyncError.chain(url: "\(url)") }
                try refuseLoop(chain, at: path)
                try check(page, &order, spool)
                guard let next = page.next else { return .last(page, chain: chain) }
                if course.mayTakeSnapshot, spool.count == 0, let extent = page.extent,
                    SnapshotRule.isShorter(extent)
                {
                    return .snapshotIsShorter
                }
                guard spool.count < Self.mostPages, spool.byteCount < Self.mostBytes else {
                    spool.remove()
                    throw SyncError.endless(url: "\(url)")
                }
                try spool.append(payload)
                since = "\(next)"
            }
        }
    }

    private func check(
        _ page: ChangesPage, _ order: inout PageOrder, _ spool: PageSpool
    ) throws(SyncError) {
        do throws(PageOrder.Problem) {
            try order.take(page, hasChanges: spool.count > 0 || !page.changes.isEmpty)
        } catch {
            spool.remove()
            throw SyncError(error, url: "\(url)")
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
        _ spool: PageSpool, _ last: ChangesPage, _ chain: [String], since base: String?,
        into target: SyncTarget, allowingEmpty mayEmpty: Bool
    ) throws -> FollowSummary {
        do {
            let catalog = try target.catalog()
            // Nothing has changed: nothing is written either.
            if base == "\(last.revision)", last.changes.isEmpty, spool.count == 0 {
                try catalog.note(chain: chain)
                return FollowSummary()
            }
            var pages = [last.changes]
            let upstream = Upstream(url: "\(url)", revision: "\(last.revision)")
            let summary = try catalog.follow(
                upstream, since: base, allowingEmpty: mayEmpty, through: chain
            ) {
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
    private static func page(_ payload: [UInt8]) throws -> ChangesPage {
        try ChangesPage(JSONReader.read(payload))
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
