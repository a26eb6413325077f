import HTTPService
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// A request's context, with its connection.
struct EventContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// Comes before every route: decides who may ask, answers with a problem if a route fails, and lets pages
/// of the listed origins read the answer.
struct EventGate: RouterMiddleware {
    typealias Context = EventContext

    private static let challenge = #"Bearer realm="keywedge events""#
    /// What everybody may have, since it contains nothing about events.
    private static let open = Set(["openapi.json"] + LivePage.allCases.map(\.rawValue)).map {
        "/" + $0
    }

    let access: CurrentAccess
    let log: Logger

    func handle(
        _ request: Request, context: EventContext,
        next: (Request, EventContext) async throws -> Response
    ) async throws -> Response {
        var origin: String?
        var response: Response
        do {
            origin = try access.policy.check(
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
        // The client has gone, or the daemon ends.
        case is CancellationError: return .journalUnavailable
        default:
            log.warning("\(error)")
            return .journalUnavailable
        }
    }

    /// Lets a page read the answer if its origin is listed.
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
