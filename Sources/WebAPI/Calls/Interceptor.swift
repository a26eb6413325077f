/// A layer between client and transport that sees every attempt.
///
/// The first of several interceptors sees the request first and the output last. Interceptors cannot
/// throw or drop anything: they return a request or a refusal, and an output.
public struct Interceptor: Sendable {
    /// The decision on a request.
    public enum Decision: Hashable, Sendable {
        /// Send this request.
        case send(Request)
        /// Send nothing, for this reason; the call ends with ``ConnectionError/Kind/intercepted(_:)``.
        case refuse(String)
    }

    let outgoing: @Sendable (Request, CallContext) async -> Decision
    let incoming: @Sendable (Output, Request, CallContext) async -> Output

    /// Makes an interceptor that changes, refuses or observes requests.
    ///
    /// It gets the request as the previous interceptors returned it. It does not see a request that follows
    /// a redirect to another origin, since its additions are meant for the original one.
    public static func request(
        _ decide: @escaping @Sendable (Request, CallContext) async -> Decision
    ) -> Interceptor {
        Interceptor(outgoing: decide, incoming: { output, _, _ in output })
    }

    /// Makes an interceptor that changes or observes outputs; it also gets the request as it was sent.
    public static func output(
        _ change: @escaping @Sendable (Output, Request, CallContext) async -> Output
    ) -> Interceptor {
        Interceptor(outgoing: { request, _ in .send(request) }, incoming: change)
    }
}

/// Facts about the call, for interceptors.
public struct CallContext: Sendable {
    /// The endpoint's name.
    public var endpoint: String { name() }
    /// The number of the attempt, from 1; followed redirects count.
    public let attempt: Int
    /// The time left for the attempt.
    public let remaining: Duration

    let name: @Sendable () -> String
}
