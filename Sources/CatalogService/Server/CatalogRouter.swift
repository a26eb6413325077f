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
        let target = RequestTarget(request.target)
        let resource = Resource(target)
        do {
            try access.check(request, isOpen: resource?.isOpen ?? false)
            guard let resource else { throw ProblemDetails.noSuchPath }
            guard [.get, .head].contains(request.method) else {
                throw ProblemDetails.methodNotAllowed
            }
            return try await answer(resource, target.query, request.ifNoneMatch)
        } catch let problem as ProblemDetails {
            return Answer(problem, challenge: Self.challenge)
        } catch {
            report("\(error)")
            return Answer(ProblemDetails.unavailable, challenge: Self.challenge)
        }
    }

    private func answer(
        _ resource: Resource, _ query: Substring?, _ known: String?
    ) async throws -> Answer {
        switch resource {
        case .products: return try await products(query, known)
        case .product(let encoded):
            _ = try Parameters(query, names: [])
            guard let match = try match(Self.code(encoded)) else {
                throw ProblemDetails.noSuchProduct
            }
            return Self.kept(ProductText.product(match.product), .moment, known)
        case .lookup:
            let parameters = try Parameters(query, names: ["code"])
            let code = try parameters.text("code", limit: ServiceLimits.codeLength)
            guard let code else { throw ProblemDetails.missingParameter("code") }
            return Self.kept(ProductText.lookup(try match(code)), .moment, known)
        case .health:
            _ = try Parameters(query, names: [])
            _ = try lookups.product(id: "")
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
    private func match(_ code: String) throws -> Match? {
        let (aim, text) = AIMIdentifier.split(code)
        return try lookups.match(for: decoder.decode(text, aim: aim?.description))?
            .priced(at: now())
    }

    private func products(_ query: Substring?, _ known: String?) async throws -> Answer {
        let request = try PageRequest(query)
        let (catalog, queue) = request.search.isEmpty ? pages : searches
        return try await queue.run {
            let page = try catalog.products(
                matching: request.search, after: request.after, limit: request.limit)
            var answer = Self.kept(ProductText.page(page), .asking, known)
            guard answer.status == .ok else { return answer }
            answer.set("X-Total-Count", "\(page.total)")
            if let next = page.next { answer.set("Link", request.link(after: next)) }
            return answer
        }
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
    private func report(_ failure: String) {
        let isNew = lastFailure.withLock { last in
            defer { last = failure }
            return last != failure
        }
        if isNew { log.error("\(failure)") }
    }
}
