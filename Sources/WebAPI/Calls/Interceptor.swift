/// Something between the client and the transport that sees every attempt.
///
/// Of several, the first sees the request first and the output last, as layers do. An interceptor
/// does not throw and cannot drop anything: it gives a request or a refusal, and an output.
public struct Interceptor: Sendable {
    /// What becomes of a request.
    public enum Decision: Hashable, Sendable {
        /// This request is sent.
        case send(Request)
        /// Nothing is sent, for this reason; the call ends with ``ConnectionError/Kind/intercepted(_:)``.
        case refuse(String)
    }

    let outgoing: @Sendable (Request, CallContext) async -> Decision
    let incoming: @Sendable (Output, Request, CallContext) async -> Output

    /// An interceptor that changes requests, refuses them, or looks at them.
    ///
    /// It is not asked for the request that follows a redirect to another origin: what it adds is
    /// for the origin the request was made for.
    ///
    /// - Parameter decide: Is given the request as the interceptors before made it.
    /// - Returns: The interceptor.
    public static func request(
        _ decide: @escaping @Sendable (Request, CallContext) async -> Decision
    ) -> Interceptor {
        Interceptor(outgoing: decide, incoming: { output, _, _ in output })
    }

    /// An interceptor that changes outputs, or looks at them.
    ///
    /// - Parameter change: Is given what came of a request, and the request as it was sent.
    /// - Returns: The interceptor.
    public static func output(
        _ change: @escaping @Sendable (Output, Request, CallContext) async -> Output
    ) -> Interceptor {
        Interceptor(outgoing: { request, _ in .send(request) }, incoming: change)
    }
}

/// What an interceptor learns of the call.
public struct CallContext: Sendable {
    /// The endpoint's name.
    public let endpoint: String

    /// Which attempt it is, from 1; redirects that are followed count.
    public let attempt: Int

    /// The time that is left for the attempt.
    public let remaining: Duration
}
