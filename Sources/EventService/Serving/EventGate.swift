import HTTPService
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

struct EventContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// Middleware that checks access, turns errors into problem documents, and adds CORS headers.
struct EventGate: RouterMiddleware {
    typealias Context = EventContext

    private static let challenge = #"Bearer realm="keywedge events""#
    /// Paths that need no token, because their content reveals nothing about events.
    private static let open = Set(
        (["openapi.json"] + LivePage.answers.map(\.path)).map { "/" + $0 })

    let router: EventRouter

    func handle(
        _ request: Request, context: EventContext,
        next: (Request, EventContext) async throws -> Response
    ) async throws -> Response {
        var origin: String?
        var response: Response
        do {
            origin = try router.policy.check(
                request, port: context.channel.localAddress?.port,
                isOpen: Self.open.contains(request.uri.path))
            guard request.hasPlainPath else { throw ProblemDetails.noSuchPath }
            response = try await next(request, context)
        } catch {
            response = Response(problem(error), challenge: Self.challenge)
        }
        Self.allow(origin, in: &response.headers, isPreflight: request.method == .options)
        return response.fitting(request)
    }

    private func problem(_ error: any Error) -> ProblemDetails {
        switch error {
        case let problem as ProblemDetails: return problem
        case let error as HTTPError where error.status == .notFound: return .noSuchPath
        default:
            // After a cancellation, the client has disconnected, or the daemon is shutting down.
            if !(error is CancellationError) { router.server.log.warning("\(error)") }
            return .journalUnavailable
        }
    }

    private static func allow(_ origin: String?, in fields: inout HTTPFields, isPreflight: Bool) {
        fields[.vary] = "Origin"
        guard let origin else { return }
        fields[.accessControlAllowOrigin] = origin
        guard isPreflight else {
            fields[.accessControlExposeHeaders] = "Keywedge-Epoch"
            return
        }
        fields[.accessControlAllowMethods] = "GET, HEAD, PUT, DELETE, POST"
        fields[.accessControlAllowHeaders] = "Authorization, Content-Type, Last-Event-ID"
        fields[.accessControlMaxAge] = "600"
    }
}

/// The rules that decide which requests the unix socket or the TCP address accepts.
struct EventAccessPolicy: Sendable {
    private(set) var token: BearerToken?
    /// The host names that requests may use, in lower case; nil on the unix socket, which accepts any.
    ///
    /// The list prevents DNS rebinding: a page whose domain resolves to this computer names its own domain as the host.
    private(set) var hosts: Set<String>?
    /// The origins of pages that may send requests, in lower case.
    private let origins: Set<String>

    init(onSocket settings: ListenSettings) {
        origins = Set(settings.origins.map { $0.lowercased() })
    }

    /// Creates the policy for `place`; for the TCP address, reads the token file if the settings name one.
    init(_ settings: ListenSettings, _ place: InterfaceSockets.Place) throws(TokenError) {
        self.init(onSocket: settings)
        guard place == .http, let address = settings.http else { return }
        if let file = settings.tokenFile { token = try BearerToken(file: file) }
        let literal = address.host.contains(":") ? "[\(address.host)]" : address.host
        let names = address.isLoopback ? ["localhost", "127.0.0.1", "[::1]"] : []
        hosts = Set(([literal] + settings.hosts + names).map { $0.lowercased() })
    }

    /// Accepts a request or throws the reason for refusing it.
    ///
    /// - Returns: The origin of the web page that sent the request; nil for programs and for keywedge's own live page.
    func check(_ request: Request, port: Int?, isOpen: Bool) throws(ProblemDetails) -> String? {
        guard request.hosts.count == 1, let host = request.hosts.first?.lowercased() else {
            throw .notOneHost(request.hosts.count)
        }
        if let hosts {
            let isOwn = hosts.contains { host == "\($0):\(port ?? 0)" }
            let needsNoPort = [80, 443].contains(port)
            guard isOwn || needsNoPort && hosts.contains(host) else { throw .otherHost }
        }
        let origin = try origin(of: request, to: host)
        // Browsers send preflight requests without the token.
        if !isOpen, request.method != .options { try token.check(request) }
        return origin
    }

    /// Whether requests may make changes, such as to a cursor, rather than only read data.
    ///
    /// Every user of this computer can connect to a loopback address, so changes over TCP need a token.
    var allowsChanges: Bool { hosts == nil || token != nil }

    private func origin(of request: Request, to host: String) throws(ProblemDetails) -> String? {
        let named = request.headers[values: .origin]
        guard let origin = named.first else {
            // Browsers send no origin if a page loads this address as a script or in a frame.
            let site = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] } ?? "none"
            guard site == "none" || site == "same-origin" else { throw .otherOrigin }
            return nil
        }
        guard named.count == 1 else { throw .otherOrigin }
        // Browsers send the live page's own origin when that page loads its scripts. No other page has this origin,
        // because the host was checked above.
        if hosts != nil, ["http://\(host)", "https://\(host)"].contains(origin.lowercased()) {
            return nil
        }
        guard origins.contains(origin.lowercased()) else { throw .otherOrigin }
        return origin
    }
}

extension ProblemDetails {
    static let onlyForReading = Self(
        .forbidden, "read-only",
        "This address has no token and is for reading; expected the unix socket, or "
            + "listen.token_file.")

    static let otherHost = Self(
        .misdirectedRequest, "wrong-host",
        "The request is for another host; expected the address or one of listen.hosts.")

    static let otherOrigin = Self(
        .forbidden, "wrong-origin", "The origin of the page is not in listen.origins.")
}
