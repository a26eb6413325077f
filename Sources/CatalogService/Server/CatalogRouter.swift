import Barcodes
import Catalog
import Glibc
import HTTPService
import HTTPTypes
import Logging
import Synchronization
import WireText

/// Answers requests out of a catalog.
///
/// A lookup is answered at once. Pages and searches are read one at a time, each kind on a
/// connection to the database of its own, so that neither waits for the other.
final class CatalogRouter: Sendable {
    private static let challenge = #"Bearer realm="keywedge catalog""#

    private let decoder: BarcodeDecoder
    private let access: AccessPolicy
    private let description: Answer
    private let lookups: EmbeddedCatalog
    private let pages: (catalog: EmbeddedCatalog, queue: SerialQueue)
    private let searches: (catalog: EmbeddedCatalog, queue: SerialQueue)
    let snapshots: SnapshotStore
    private let digests: DigestStore
    let waiters: ChangeWaiters
    private let counts = ProductCounts()
    private let ready = ReadyAnswers()
    /// The time, in microseconds since 1970.
    private let now: @Sendable () -> Int64
    private let log: Logger
    private let lastFailure = Mutex("")

    /// Opens the catalog.
    ///
    /// - Parameters:
    ///   - path: The catalog's file.
    ///   - decoder: Reads codes.
    ///   - access: Decides who may ask.
    ///   - version: The version of keywedge, for the description of the service.
    ///   - log: Where it is said why the catalog cannot be read.
    ///   - now: The time, in microseconds since 1970: lookups answer with its prices.
    /// - Throws: `CatalogError`.
    init(
        path: String, decoder: BarcodeDecoder, access: AccessPolicy, version: String, log: Logger,
        now: @escaping @Sendable () -> Int64 = CatalogRouter.systemTime
    ) throws {
        self.now = now
        self.decoder = decoder
        self.access = access
        self.log = log
        lookups = try EmbeddedCatalog(path: path)
        pages = (
            try EmbeddedCatalog(path: path), SerialQueue("pages", limit: ServiceLimits.waiting)
        )
        searches = (
            try EmbeddedCatalog(path: path), SerialQueue("searches", limit: ServiceLimits.waiting)
        )
        snapshots = try SnapshotStore(of: path)
        digests = try DigestStore(of: path)
        waiters = try ChangeWaiters(for: path)
        var text: [UInt8] = []
        let document = OpenAPIDocument(version: version, wantsToken: access.wantsToken)
        JSONWriter.append(document.json, to: &text)
        description = Answer(json: text, tag: EntityTag(of: text), caching: .asking)
    }

    /// Answers a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer; that of a HEAD has the content of the GET. And what of a file is its
    ///   content, where it is that.
    func answer(_ request: ServiceRequest) async -> (Answer, SnapshotPart?) {
        let target = RequestTarget(request.target)
        let resource = Resource(target)
        let (answer, part) = await answer(request, target, resource)
        return (resource?.isOpen == true ? answer : varied(answer), part)
    }

    /// The answer that was given before to the same request, where it still holds.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer; nil where the request is to be answered as any other.
    func readyAnswer(_ request: ServiceRequest) -> ReadyAnswers.Ready? {
        guard request.isPlain, let permission = try? access.check(request, isOpen: false),
            let state = try? lookups.state()
        else { return nil }
        return ready.answer(to: .init(target: request.target, permission: permission), in: state)
    }

    /// Says that the same address has other contents for other shops.
    private func varied(_ answer: Answer) -> Answer {
        guard access.scopes != nil else { return answer }
        var answer = answer
        answer.fields[.vary] = "Authorization"
        return answer
    }

    private func answer(
        _ request: ServiceRequest, _ target: RequestTarget, _ resource: Resource?
    ) async -> (Answer, SnapshotPart?) {
        do {
            let permission = try access.check(request, isOpen: resource?.isOpen ?? false)
            guard let resource else { throw ProblemDetails.noSuchPath }
            guard [.get, .head].contains(request.method) else {
                throw ProblemDetails.methodNotAllowed
            }
            do {
                return try await answer(request, resource, target.query, permission)
            } catch CatalogError.unknownScope(_, let scope) where permission == .everything {
                throw ProblemDetails.parameter(
                    Parameters.scope, expected: "a shop that the catalog has", quoting: scope)
            }
        } catch let problem as ProblemDetails {
            return (Answer(problem, challenge: Self.challenge), nil)
        } catch {
            note("\(error)")
            return (Answer(ProblemDetails.unavailable, challenge: Self.challenge), nil)
        }
    }

    private func answer(
        _ request: ServiceRequest, _ resource: Resource, _ query: Substring?,
        _ permission: Permission
    ) async throws -> (Answer, SnapshotPart?) {
        if resource == .snapshot { return try await snapshot(request, query, permission) }
        if resource == .changes, let wait = request.wait {
            let changes = try Self.changes(query, permission)
            return (try await self.changes(changes, request.ifNoneMatch, waiting: wait), nil)
        }
        switch resource {
        case .product, .lookup: return (try lookup(request, resource, query, permission), nil)
        default: return (try await answer(resource, query, request.ifNoneMatch, permission), nil)
        }
    }

    /// Answers a lookup, and keeps the answer ready where it holds until the catalog changes.
    private func lookup(
        _ request: ServiceRequest, _ resource: Resource, _ query: Substring?,
        _ permission: Permission
    ) throws -> Answer {
        let state = try lookups.state()
        let (match, body) = try found(resource, query, permission)
        let answer = Self.kept(body, .moment, request.ifNoneMatch)
        // Prices for a time change without an import.
        if request.isPlain, match?.candidates.allSatisfy(\.datedPrices.isEmpty) ?? true {
            ready.keep(
                varied(answer), to: .init(target: request.target, permission: permission),
                in: state)
        }
        return answer
    }

    private func found(
        _ resource: Resource, _ query: Substring?, _ permission: Permission
    ) throws -> (Match?, [UInt8]) {
        guard case .product(let encoded) = resource else {
            let parameters = try Parameters(query, names: ["code", Parameters.scope])
            let code = try parameters.text("code", limit: ServiceLimits.codeLength)
            guard let code else { throw ProblemDetails.missingParameter("code") }
            let match = try match(code, in: permission.scope(asked: parameters.scope()))
            return (match, ProductText.lookup(match))
        }
        let scope = try Parameters(query, names: [Parameters.scope]).scope()
        let code = try Self.code(encoded)
        guard let match = try match(code, in: permission.scope(asked: scope)) else {
            throw ProblemDetails.noSuchProduct
        }
        return (match, ProductText.product(match.product))
    }

    private func snapshot(
        _ request: ServiceRequest, _ query: Substring?, _ permission: Permission
    ) async throws -> (Answer, SnapshotPart?) {
        let scope = try Parameters(query, names: [Parameters.scope]).scope()
        guard try permission.scope(asked: scope) == nil else {
            throw ProblemDetails.noScopedSnapshot
        }
        let chain = try chain(of: lookups)
        let snapshot: Snapshot
        do {
            snapshot = try await snapshots.snapshot()
        } catch let problem as ProblemDetails {
            throw problem
        } catch {
            note("\(error)")
            throw ProblemDetails.noSnapshot
        }
        // What only who has the token may read shall lie in no cache that others read.
        let caching = !access.wantsToken ? "public, max-age=60" : Caching.asking.rawValue
        var (answer, part) = SnapshotPart.answer(request, snapshot, caching)
        answer.set(ChainField.name, chain)
        return (answer, part)
    }

    /// Through which services the products come, this one the last.
    private func chain(of catalog: EmbeddedCatalog) throws -> String {
        let ids = try catalog.chain() + (ServiceChain.id(path: catalog.path).map { [$0] } ?? [])
        return ids.joined(separator: ", ")
    }

    private func answer(
        _ resource: Resource, _ query: Substring?, _ known: String?, _ permission: Permission
    ) async throws -> Answer {
        switch resource {
        case .products: return try await products(query, known, permission)
        case .changes: return try await changes(Self.changes(query, permission), known)
        case .digests: return try await digests(query, known, permission)
        case .snapshot, .product, .lookup: throw ProblemDetails.noSuchPath
        case .health:
            _ = try Parameters(query, names: [])
            _ = try lookups.revision()
            let text = Array("{\"status\":\"ok\"}".utf8)
            return Answer(json: text, tag: EntityTag(of: text), caching: .never)
        case .openAPI:
            _ = try Parameters(query, names: [])
            return Self.kept(description.body ?? [], .asking, known)
        }
    }

    /// The code in a path.
    private static func code(_ encoded: Substring) throws(ProblemDetails) -> String {
        guard let code = PercentEncoding.strictlyDecoded(encoded) else {
            throw ProblemDetails.undecodable("code in the path")
        }
        let length = code.unicodeScalars.count
        guard length <= ServiceLimits.codeLength else {
            throw ProblemDetails.parameter(
                "code", expected: "1 to \(ServiceLimits.codeLength) characters",
                found: "\(length)")
        }
        return code
    }

    /// Looks a code up as a register would that scanned it.
    private func match(_ code: String, in scope: CatalogScope?) throws -> Match? {
        let (aim, text) = AIMIdentifier.split(code)
        return try lookups.seen(in: scope).match(for: decoder.decode(text, aim: aim?.description))?
            .priced(at: now())
    }

    private func products(
        _ query: Substring?, _ known: String?, _ permission: Permission
    ) async throws -> Answer {
        var request = try PageRequest(query)
        request.scope = try permission.scope(asked: request.scope)
        let (whole, queue) = request.search.isEmpty ? pages : searches
        return try await queue.run { [counts, request] in
            let catalog = try whole.seen(in: request.scope)
            let rereadings = try catalog.rereadings()
            let tag = EntityTag(try catalog.revision(), rereadings: rereadings)
            if tag.isNamed(in: known) { return Answer(unchanged: tag, caching: .asking) }
            let page = try catalog.products(
                matching: request.search, after: request.after, limit: request.limit,
                counts: counts)
            var answer = Answer(
                json: ProductText.page(page),
                tag: EntityTag(page.revision, rereadings: rereadings), caching: .asking)
            answer.set("X-Total-Count", "\(page.total)")
            if let next = page.next { answer.set("Link", request.link(after: next)) }
            return answer
        }
    }

    /// Whether a request is one that may wait.
    func mayWait(_ request: ServiceRequest) -> Bool {
        request.method == .get && Resource(RequestTarget(request.target)) == .changes
    }

    /// What has changed, as soon as something has.
    ///
    /// Rule: RFC 7240, section 4.3.
    private func changes(
        _ request: ChangesRequest, _ known: String?, waiting time: Duration
    ) async throws -> Answer {
        let present = try lookups.revision().seen(in: request.scope)
        var answer: Answer
        if request.since == ChangeCursor(present) {
            let outcome = await waiters.wait(for: request, since: present, upTo: time) {
                [weak self] request in
                guard let self else { throw CancellationError() }
                return try await hasChanges(request) ? changes(request, nil) : nil
            }
            switch outcome {
            case .answer(let found): answer = found
            case .failed(let error): throw error
            case .over(let last): answer = try noChanges(upTo: last, request, known)
            // Who could not wait is told so, and asks again in its own time.
            case .full: return try noChanges(upTo: present, request, known)
            }
        } else {
            answer = try await changes(request, known)
        }
        let seconds = min(time, ChangeWaiters.longest).components.seconds
        answer.set("Preference-Applied", "wait=\(seconds)")
        return answer
    }

    /// That nothing has changed up to a revision, which needs no look at the products: thousands may
    /// have waited, and are told at once.
    private func noChanges(
        upTo revision: CatalogRevision, _ request: ChangesRequest, _ known: String?
    ) throws -> Answer {
        let tag = EntityTag(revision, rereadings: try lookups.rereadings())
        if tag.isNamed(in: known) { return Answer(unchanged: tag, caching: .asking) }
        var answer = Answer(
            json: ProductText.noChanges(upTo: revision), tag: tag, caching: .asking)
        answer.set(ChainField.name, try chain(of: lookups.seen(in: request.scope)))
        return answer
    }

    /// Whether there is anything to tell.
    private func hasChanges(_ request: ChangesRequest) async throws -> Bool {
        try await pages.queue.run { [pages] in
            let catalog = try pages.catalog.seen(in: request.scope)
            return try catalog.revision(unchangedSince: request.since) == nil
        }
    }

    private func changes(_ request: ChangesRequest, _ known: String?) async throws -> Answer {
        try await pages.queue.run { [self] in
            let catalog = try pages.catalog.seen(in: request.scope)
            let rereadings = try catalog.rereadings()
            let tag = EntityTag(try catalog.revision(), rereadings: rereadings)
            if tag.isNamed(in: known) { return Answer(unchanged: tag, caching: .asking) }
            let chain = try chain(of: catalog)
            switch try catalog.changes(since: request.since, limit: request.limit) {
            case .unknownRevision(let now): throw ProblemDetails.unknownRevision(now: "\(now)")
            case .page(let page):
                var answer = Answer(
                    json: ProductText.changes(page),
                    tag: EntityTag(page.revision, rereadings: rereadings), caching: .asking)
                if let next = page.next { answer.set("Link", request.link(since: next)) }
                answer.set(ChainField.name, chain)
                return answer
            }
        }
    }

    private static func changes(
        _ query: Substring?, _ permission: Permission
    ) throws -> ChangesRequest {
        var request = try ChangesRequest(query)
        request.scope = try permission.scope(asked: request.scope)
        return request
    }

    private func digests(
        _ query: Substring?, _ known: String?, _ permission: Permission
    ) async throws -> Answer {
        var request = try DigestsRequest(query)
        request.scope = try permission.scope(asked: request.scope)
        let listing = try await digests.listing(request)
        return Self.kept(ProductText.digests(listing), .asking, known)
    }

    /// An answer, or that the client has it already.
    private static func kept(_ body: [UInt8], _ caching: Caching, _ known: String?) -> Answer {
        let tag = EntityTag(of: body)
        return tag.isNamed(in: known)
            ? Answer(unchanged: tag, caching: caching)
            : Answer(json: body, tag: tag, caching: caching)
    }

    /// The time of the system.
    static let systemTime: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }

    /// Says why the catalog cannot be read; not again as long as the reason is the same.
    private func note(_ failure: String) {
        let isNew = lastFailure.withLock { last in
            defer { last = failure }
            return last != failure
        }
        if isNew { log.error("\(failure)") }
    }
}
