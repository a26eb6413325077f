import Barcodes
import Catalog
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
    private let counts = ProductCounts()
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
    /// - Throws: `CatalogError`.
    init(
        path: String, decoder: BarcodeDecoder, access: AccessPolicy, version: String, log: Logger
    ) throws {
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
        var text: [UInt8] = []
        let document = OpenAPIDocument(version: version, wantsToken: access.token != nil)
        JSONWriter.append(document.json, to: &text)
        description = Answer(json: text, tag: EntityTag(of: text), caching: .asking)
    }

    /// Answers a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer; that of a HEAD has the content of the GET.
    func answer(_ request: ServiceRequest) async -> Answer {
        do {
            let target = RequestTarget(request.target)
            let resource = Resource(target)
            try access.check(request, isOpen: resource?.isOpen ?? false)
            guard let resource else { throw ProblemDetails.noSuchPath }
            guard [.get, .head].contains(request.method) else {
                throw ProblemDetails.methodNotAllowed
            }
            return try await answer(resource, target.query, request.ifNoneMatch)
        } catch let problem as ProblemDetails {
            return Answer(problem, challenge: Self.challenge)
        } catch {
            note("\(error)")
            return Answer(ProblemDetails.unavailable, challenge: Self.challenge)
        }
    }

    private func answer(
        _ resource: Resource, _ query: Substring?, _ known: String?
    ) async throws -> Answer {
        switch resource {
        case .product(let code):
            _ = try Parameters(query, names: [])
            return try product(code, known)
        case .lookup:
            let parameters = try Parameters(query, names: ["code"])
            let code = try parameters.text("code", limit: ServiceLimits.codeLength)
            guard let code else { throw ProblemDetails.missingParameter("code") }
            return Self.kept(ProductText.lookup(try match(code)), .moment, known)
        case .products: return try await products(query, known)
        case .changes: return try await changes(query, known)
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

    private func product(_ encoded: Substring, _ known: String?) throws -> Answer {
        guard let code = PercentEncoding.strictlyDecoded(encoded) else {
            throw ProblemDetails.undecodable("code in the path")
        }
        let length = code.unicodeScalars.count
        guard length <= ServiceLimits.codeLength else {
            throw ProblemDetails.parameter(
                "code", expected: "1 to \(ServiceLimits.codeLength) characters",
                found: "\(length)")
        }
        guard let match = try match(code) else { throw ProblemDetails.noSuchProduct }
        return Self.kept(ProductText.product(match.product), .moment, known)
    }

    /// Looks a code up as a register would that scanned it.
    private func match(_ code: String) throws -> Match? {
        let (aim, text) = AIMIdentifier.split(code)
        return try lookups.match(for: decoder.decode(text, aim: aim?.description))
    }

    private func products(_ query: Substring?, _ known: String?) async throws -> Answer {
        let request = try PageRequest(query)
        let (catalog, queue) = request.search.isEmpty ? pages : searches
        return try await queue.run { [counts] in
            let tag = EntityTag(try catalog.revision())
            if tag.isNamed(in: known) { return Answer(unchanged: tag, caching: .asking) }
            let page = try catalog.products(
                matching: request.search, after: request.after, limit: request.limit,
                counts: counts)
            var answer = Answer(
                json: ProductText.page(page), tag: EntityTag(page.revision), caching: .asking)
            answer.set("X-Total-Count", "\(page.total)")
            if let next = page.next { answer.set("Link", request.link(after: next)) }
            return answer
        }
    }

    private func changes(_ query: Substring?, _ known: String?) async throws -> Answer {
        let request = try ChangesRequest(query)
        return try await pages.queue.run { [catalog = pages.catalog] in
            let tag = EntityTag(try catalog.revision())
            if tag.isNamed(in: known) { return Answer(unchanged: tag, caching: .asking) }
            switch try catalog.changes(since: request.since, limit: request.limit) {
            case .unknownRevision(let now): throw ProblemDetails.unknownRevision(now: "\(now)")
            case .page(let page):
                var answer = Answer(
                    json: ProductText.changes(page), tag: EntityTag(page.revision),
                    caching: .asking)
                if let next = page.next { answer.set("Link", request.link(since: next)) }
                return answer
            }
        }
    }

    /// An answer, or that the client has it already.
    private static func kept(_ body: [UInt8], _ caching: Caching, _ known: String?) -> Answer {
        let tag = EntityTag(of: body)
        return tag.isNamed(in: known)
            ? Answer(unchanged: tag, caching: caching)
            : Answer(json: body, tag: tag, caching: caching)
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
