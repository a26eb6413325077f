/// A layer between a client and its transport that can observe or change every attempt.
///
/// Requests pass through a client's interceptors in order, and outputs (responses or errors) in reverse order. An
/// interceptor can change or refuse a request, and can change an output. It cannot throw.
public struct Interceptor: Sendable {
    /// An interceptor's decision to send or refuse a request.
    public enum Decision: Hashable, Sendable {
        case send(Request)
        /// The attempt fails with ``ConnectionError/Kind/intercepted(_:)`` and this reason.
        case refuse(String)
    }

    let outgoing: @Sendable (Request, CallContext) async -> Decision
    let incoming: @Sendable (Output, Request, CallContext) async -> Output

    /// Makes an interceptor that changes, refuses or observes requests.
    ///
    /// `decide` receives each request as changed by earlier interceptors. After a redirect to another origin, the
    /// client no longer calls `decide`, so that the new origin does not receive credentials.
    public static func request(
        _ decide: @escaping @Sendable (Request, CallContext) async -> Decision
    ) -> Interceptor {
        Interceptor(outgoing: decide, incoming: { output, _, _ in output })
    }

    /// Makes an interceptor that changes or observes the outputs of requests.
    public static func output(
        _ change: @escaping @Sendable (Output, Request, CallContext) async -> Output
    ) -> Interceptor {
        Interceptor(outgoing: { request, _ in .send(request) }, incoming: change)
    }
}

/// Information about the current call, for interceptors.
public struct CallContext: Sendable {
    /// The name of the endpoint or request, such as `Shop.Stock`.
    public var endpoint: String { name() }
    /// The attempt's number, counted from 1; each followed redirect is a separate attempt.
    public let attempt: Int
    /// The time left for the attempt.
    public let remaining: Duration

    let name: @Sendable () -> String
}
