import HTTPService
import HTTPTypes
import Hummingbird
import Logging
import Synchronization
import WireText

/// Middleware that rejects forbidden requests, and turns errors into problem responses.
final class RequestGate: RouterMiddleware {
    typealias Context = BasicRequestContext

    private static let challenge = #"Bearer realm="keywedge catalog""#
    /// The paths that need no token, because they reveal nothing about the catalog.
    private static let open = ["/v1/health", "/openapi.json"]

    /// The token that clients must send; nil to let every program on this computer send requests.
    private let token: BearerToken?
    private let log: Logger
    private let lastFailure = Mutex("")

    init(token: BearerToken?, log: Logger) { (self.token, self.log) = (token, log) }

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            try check(request)
            guard [.get, .head].contains(request.method) else {
                throw ProblemDetails.methodNotAllowed
            }
            guard request.hasPlainPath else { throw ProblemDetails.noSuchPath }
            return try await next(request, context).fitting(request)
        } catch {
            return Response(problem(error), challenge: Self.challenge).fitting(request)
        }
    }

    private func check(_ request: Request) throws(ProblemDetails) {
        let hosts = request.hosts
        guard hosts.count == 1 else { throw .notOneHost(hosts.count) }
        // A web page can make its own host name resolve to this address; the Host field of its requests reveals that.
        guard token != nil || Self.isLoopback(hosts[0]) else { throw .wrongHost }
        if !Self.open.contains(request.uri.path) { try token.check(request) }
    }

    /// Whether a host, with or without a port, is a loopback name or address.
    private static func isLoopback(_ authority: String) -> Bool {
        guard let end = authority.utf8.lastIndex(of: UInt8(ascii: ":")),
            !authority.utf8[end...].contains(UInt8(ascii: "]"))
        else { return LoopbackAddress.isOne(authority) }
        return LoopbackAddress.isOne(String(authority.utf8[..<end]) ?? "")
    }

    /// Converts an error to a problem response; logs an unexpected one unless it equals the last.
    private func problem(_ error: any Error) -> ProblemDetails {
        switch error {
        case let problem as ProblemDetails: return problem
        case let error as HTTPError where error.status == .notFound: return .noSuchPath
        default:
            let isNew = lastFailure.withLock { last in
                defer { last = "\(error)" }
                return last != "\(error)"
            }
            if isNew { log.error("\(error)") }
            return error is SystemCallError ? .feedUnavailable : .unavailable
        }
    }
}

extension ProblemDetails {
    static let noSuchProduct = ProblemDetails(
        .notFound, "no-such-product", "The catalog has no product with this code.")

    static let noSuchFile = ProblemDetails(
        .notFound, "no-such-file", "The feed has no file of this name.")

    static let methodNotAllowed = ProblemDetails(
        .methodNotAllowed, "method-not-allowed",
        "The catalog can only be read here; expected GET or HEAD.",
        allowed: "GET, HEAD")

    static let wrongHost = ProblemDetails(
        .misdirectedRequest, "wrong-host",
        "Without a token this is for programs on this box; expected localhost or a "
            + "loopback address as the host.")

    static let busy = ProblemDetails(
        .serviceUnavailable, "busy",
        "Too many requests for pages or searches are waiting; expected another try later.")

    static let unavailable = ProblemDetails(
        .serviceUnavailable, "catalog-unavailable",
        "The catalog cannot be read at the moment; the service's log says why.")

    static let feedUnavailable = ProblemDetails(
        .serviceUnavailable, "feed-unavailable",
        "The feed cannot be read at the moment; the service's log says why.")
}
