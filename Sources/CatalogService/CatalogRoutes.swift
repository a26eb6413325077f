import Barcodes
import Catalog
import Glibc
import HTTPService
import HTTPTypes
import Hummingbird
import WireText

/// The requests that the service answers.
///
/// A lookup is answered at once. Pages read many products: they take turns on a connection to the
/// database of their own, so that no lookup waits for them.
struct CatalogRoutes: Sendable {
    private let decoder: BarcodeDecoder
    private let lookups: CatalogFile
    private let pages: CatalogFile
    private let queue = SerialQueue("pages", limit: ServiceLimits.waiting)
    private let feed: FeedFolder?
    /// The time, in microseconds since 1970.
    private let now: @Sendable () -> Int64

    /// Opens the catalog.
    ///
    /// - Parameters:
    ///   - path: The catalog's file.
    ///   - feed: The files of a feed; nil if none are served.
    ///   - decoder: Reads codes.
    ///   - now: The time, in microseconds since 1970: lookups answer with its prices.
    /// - Throws: `CatalogError`.
    init(
        catalog path: String, feed: FeedFolder?, decoder: BarcodeDecoder,
        now: @escaping @Sendable () -> Int64 = Self.systemTime
    ) throws {
        lookups = try CatalogFile(path: path)
        pages = try CatalogFile(path: path)
        self.feed = feed
        self.decoder = decoder
        self.now = now
    }

    /// The description of the service (OpenAPI 3.1).
    static var description: [UInt8] { PackageResources.openapi_json }

    /// Makes the router; the gate comes before every route, and before what has none.
    func router(behind gate: RequestGate) -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: gate)
        router.get("v1/products") { request, _ in try await products(request) }
        router.get("v1/products/{code}") { request, context in
            try product(request, context.parameters.get("code") ?? "")
        }
        router.get("v1/lookup") { request, _ in try lookup(request) }
        router.get("v1/health") { request, _ in try health(request) }
        router.get("openapi.json") { request, _ in
            _ = try request.parameters(names: [])
            return Response(json: Self.description, .asking, to: request)
        }
        if let feed {
            router.get("feed/**") { request, context in
                _ = try request.parameters(names: [])
                let file = try await feed.file(context.parameters.getCatchAll())
                return file.response(to: request)
            }
        }
        return router
    }

    private func product(_ request: Request, _ encoded: String) throws -> Response {
        _ = try request.parameters(names: [])
        guard let code = PercentEncoding.strictlyDecoded(encoded[...]) else {
            throw ProblemDetails.undecodable("code in the path")
        }
        let length = code.unicodeScalars.count
        guard length <= ServiceLimits.codeLength else {
            throw ProblemDetails.parameter(
                "code", expected: "1 to \(ServiceLimits.codeLength) characters",
                found: "\(length)")
        }
        let (match, caching) = try match(code)
        guard let match else { throw ProblemDetails.noSuchProduct }
        return Response(json: match.product.jsonValue, caching, to: request)
    }

    private func lookup(_ request: Request) throws -> Response {
        let parameters = try request.parameters(names: ["code"])
        guard let code = try parameters.text("code", limit: ServiceLimits.codeLength) else {
            throw ProblemDetails.missingParameter("code")
        }
        let (match, caching) = try match(code)
        let products = match?.candidates ?? []
        return Response(json: ["products": .array(products.map(\.jsonValue))], caching, to: request)
    }

    /// Looks a code up as a register would that scanned it; and how long that holds.
    func match(_ code: String) throws -> (Match?, Caching) {
        let (aim, text) = AIMIdentifier.split(code)
        let match = try lookups.match(for: decoder.decode(text, aim: aim?.description))
        let now = now()
        return (match?.priced(at: now), .seconds(upTo: match?.nextPrice(after: now), from: now))
    }

    private func products(_ request: Request) async throws -> Response {
        let parameters = try request.parameters(names: ["search", "after", "limit"])
        let words = try parameters.text("search", limit: ServiceLimits.searchLength)
        let after = try parameters.integer("after", 0...ServiceLimits.largestNumber)
        let limit =
            try parameters.integer("limit", 1...ServiceLimits.largestPage)
            ?? ServiceLimits.standardPage
        let page = try await queue.run { [pages] in
            try pages.products(
                matching: ProductSearch(words ?? ""), after: after, limit: limit)
        }
        var object: JSONObject = [
            "products": .array(page.products.map(\.jsonValue)),
            "total": .integer(Int64(page.total)),
        ]
        if let next = page.next { object.append("next", .string("\(next)")) }
        var response = Response(json: .object(object), .asking, to: request)
        response.set("X-Total-Count", "\(page.total)")
        if let next = page.next {
            let search = words.map { "&search=" + PercentEncoding.encoded($0) } ?? ""
            // Rule: RFC 8288, section 3.
            response.set("Link", "<?after=\(next)&limit=\(limit)\(search)>; rel=\"next\"")
        }
        return response
    }

    private func health(_ request: Request) throws -> Response {
        _ = try request.parameters(names: [])
        _ = try lookups.product(id: "")
        return Response(json: ["status": "ok"], .never, to: request)
    }

    /// The time of the system.
    static let systemTime: @Sendable () -> Int64 = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}

extension Match {
    /// When the price of one of the products next begins or ends; nil if none does.
    fileprivate func nextPrice(after time: Int64) -> Int64? {
        candidates.flatMap(\.datedPrices).flatMap { [$0.from, $0.until] }.compactMap(\.self)
            .filter { $0 > time }.min()
    }
}

extension Request {
    /// Reads the query, strictly.
    fileprivate func parameters(names: [String]) throws(ProblemDetails) -> HTTPService.Parameters {
        try HTTPService.Parameters(uri.query.map { $0[...] }, names: names)
    }
}

extension Caching {
    /// How long a client keeps a product at the most: it sees an import no later.
    private static let longest: Int64 = 10

    /// Until a price begins or ends, at most 10 seconds; times are microseconds since 1970.
    fileprivate static func seconds(upTo change: Int64?, from now: Int64) -> Caching {
        .seconds(min(longest, ((change ?? .max) - now) / 1_000_000))
    }
}

extension Response {
    /// Sets a header field that HTTPTypes has no name for.
    fileprivate mutating func set(_ name: String, _ value: String) {
        if let name = HTTPField.Name(name) { headers[name] = value }
    }
}
