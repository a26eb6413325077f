import Barcodes
import Catalog
import Crypto
import Foundation
import HTTPService
import HTTPTypes
import Hummingbird
import Synchronization
import WireText

/// The routes of the catalog service.
///
/// Lookups run immediately. Pages and searches read many products, so they run one at a time on a separate connection
/// to the database, and never delay lookups.
final class CatalogRoutes: Sendable {
    /// The default and the maximum number of products on a page.
    static let (standardPage, largestPage) = (100, 1000)
    /// The maximum number of characters in a code; percent-encoded, each may take twelve bytes.
    static let codeLength = 4096
    static let searchLength = 200
    /// The largest product number that a request may contain; 18 digits always fit into `Int64`.
    private static let largestNumber: Int64 = 999_999_999_999_999_999
    /// The maximum number of seconds for which clients may cache a product.
    private static let longest: Int64 = 10

    /// The maximum number of page and search requests that may be waiting or running at once.
    private static let queueLength = 32

    private let decoder: BarcodeDecoder
    private let lookups: CatalogFile
    private let pages: CatalogFile
    private let queue = DispatchQueue(label: "pages")
    private let waiting = Atomic(0)
    private let feed: FeedFolder?
    private let now: @Sendable () -> Int64

    /// Opens the catalog; if `feed` is nil, the service publishes no feed.
    ///
    /// `now` returns the current time in microseconds since 1970, which decides which prices are valid.
    init(
        catalog path: String, feed: FeedFolder?, decoder: BarcodeDecoder,
        now: @escaping @Sendable () -> Int64 = CatalogRoutes.systemTime
    ) throws {
        lookups = try CatalogFile(path: path)
        pages = try CatalogFile(path: path)
        self.feed = feed
        self.decoder = decoder
        self.now = now
    }

    static var description: [UInt8] { PackageResources.openapi_json }

    /// Returns the router; every request passes through `gate` first, even if no route matches its path.
    func router(behind gate: RequestGate) -> Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: gate)
        router.get("v1/products") { request, _ in try await self.products(request) }
        router.get("v1/products/{code}") { request, context in
            try self.product(request, context.parameters.get("code") ?? "")
        }
        router.get("v1/lookup") { request, _ in try self.lookup(request) }
        router.get("v1/health") { request, _ in try self.health(request) }
        router.get("openapi.json") { request, _ in
            _ = try QueryParameters(of: request)
            return Response(json: Self.description, .asking, to: request)
        }
        if let feed {
            router.get("feed/**") { request, context in
                _ = try QueryParameters(of: request)
                return try await feed.response(
                    to: request, for: context.parameters.getCatchAll(), context)
            }
        }
        return router
    }

    private func product(_ request: Request, _ encoded: String) throws -> Response {
        _ = try QueryParameters(of: request)
        guard let code = PercentEncoding.strictlyDecoded(encoded[...]) else {
            throw ProblemDetails.undecodable("code in the path")
        }
        let length = code.unicodeScalars.count
        guard length <= Self.codeLength else {
            throw ProblemDetails.parameter(
                "code", expected: "1 to \(Self.codeLength) characters",
                found: "\(length)")
        }
        let (match, caching) = try match(code)
        guard let match else { throw ProblemDetails.noSuchProduct }
        return Response(json: match.product.jsonValue, caching, to: request)
    }

    private func lookup(_ request: Request) throws -> Response {
        let parameters = try QueryParameters(of: request, "code")
        guard let code = try parameters.text("code", limit: Self.codeLength) else {
            throw ProblemDetails.missingParameter("code")
        }
        let (match, caching) = try match(code)
        let products = match?.candidates ?? []
        return Response(json: ["products": .array(products.map(\.jsonValue))], caching, to: request)
    }

    /// Looks up a code as if a register had scanned it; also returns how long clients may cache the result.
    ///
    /// That is at most until the next time that a price of one of the matching products takes effect or expires.
    func match(_ code: String) throws -> (Match?, Caching) {
        let (aim, text) = AIMIdentifier.split(code)
        let match = try lookups.match(for: decoder.decode(text, aim: aim?.description))
        let now = now()
        // The times at which a price of these products begins or ends.
        let times = (match?.candidates ?? []).flatMap(\.datedPrices).flatMap {
            [$0.from, $0.until]
        }
        let change = times.compactMap(\.self).filter { $0 > now }.min() ?? .max
        return (
            match?.priced(at: now), .seconds(min(Self.longest, (change - now) / 1_000_000))
        )
    }

    private func products(_ request: Request) async throws -> Response {
        let parameters = try QueryParameters(of: request, "search", "after", "limit")
        let words = try parameters.text("search", limit: Self.searchLength)
        let after = try parameters.integer("after", 0...Self.largestNumber)
        let limit =
            try parameters.integer("limit", 1...Self.largestPage)
            ?? Self.standardPage
        let page = try await inTurn { [pages] in
            try pages.products(matching: words ?? "", after: after, limit: limit)
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

    /// Runs slow work on a serial queue; throws `ProblemDetails.busy` if too many requests are waiting.
    private func inTurn<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard waiting.add(1, ordering: .relaxed).newValue <= Self.queueLength else {
            throw ProblemDetails.busy
        }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    private func health(_ request: Request) throws -> Response {
        _ = try QueryParameters(of: request)
        _ = try lookups.product(id: "")
        return Response(json: ["status": "ok"], .never, to: request)
    }

    static let systemTime: @Sendable () -> Int64 = {
        Int64(Date.now.timeIntervalSince1970 * 1_000_000)
    }
}

extension Request {
    /// Whether the client already has content with this entity tag (RFC 9110, section 13.1.2).
    func has(tag: String) -> Bool {
        guard let list = headers[.ifNoneMatch] else { return false }
        return list.wholeMatch(of: /[ \t]*\*[ \t]*/) != nil
            || list.matches(of: /"[^"]*"/).contains { $0.output == tag }
    }
}

extension Response {
    /// Creates a JSON response, or a 304 if the client already has this content (RFC 9110, sections 8.8.3 and 13.1.2).
    init(json: [UInt8], _ caching: Caching, to request: Request) {
        let tag = "\"\(SHA256.hash(data: json).prefix(16).hexadecimal)\""
        if request.has(tag: tag) {
            self.init(status: .notModified, headers: [.cacheControl: caching.rawValue])
        } else {
            self.init("application/json", caching, json)
        }
        headers[.eTag] = tag
    }

    fileprivate init(json: JSONValue, _ caching: Caching, to request: Request) {
        self.init(json: Array(JSONWriter.text(of: json).utf8), caching, to: request)
    }
}
