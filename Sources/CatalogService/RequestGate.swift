import HTTPService
import HTTPTypes
import Hummingbird
import Logging
import Synchronization
import WireText

/// Comes before every route: decides who may ask, and answers with a problem if a route fails.
struct RequestGate: RouterMiddleware {
    typealias Context = BasicRequestContext

    private static let challenge = #"Bearer realm="keywedge catalog""#
    /// What everybody may have, since it says nothing of the catalog.
    private static let open = ["/v1/health", "/openapi.json"]

    let access: AccessPolicy
    let failures: FailureLog

    func handle(
        _ request: Request, context: Context,
        next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            try access.check(request, isOpen: Self.open.contains(request.uri.path))
            guard [.get, .head].contains(request.method) else {
                throw ProblemDetails.methodNotAllowed
            }
            return try await next(request, context)
        } catch let problem as ProblemDetails {
            return Response(Answer(problem, challenge: Self.challenge))
        } catch let error as HTTPError where error.status == .notFound {
            return Response(Answer(.noSuchPath, challenge: Self.challenge))
        } catch {
            failures.report("\(error)")
            let problem: ProblemDetails = error is SystemCallError ? .feedUnavailable : .unavailable
            return Response(Answer(problem, challenge: Self.challenge))
        }
    }
}

/// Logs why the catalog cannot be read; not again while the reason is the same.
final class FailureLog: Sendable {
    private let log: Logger
    private let last = Mutex("")

    init(_ log: Logger) { self.log = log }

    func report(_ failure: String) {
        let isNew = last.withLock { last in
            defer { last = failure }
            return last != failure
        }
        if isNew { log.error("\(failure)") }
    }
}
