/// A layer between client and transport that sees every attempt.
///
/// The first of several interceptors sees a request first and its output last. An interceptor cannot throw or drop
/// anything: for a request, it returns a request or a refusal, and for an output, it returns an output.
public struct Interceptor: Sendable {
    /// The decision to send or refuse a request.
    public enum Decision: Hashable, Sendable {
        case send(Request)
        /// Send nothing, for this reason; the call ends with ``ConnectionError/Kind/intercepted(_:)``.
        case refuse(String)
    }

    let outgoing: @Sendable (Request, CallContext) async -> Decision
    let incoming: @Sendable (Output, Request, CallContext) async -> Output

    /// Makes an interceptor that changes, refuses or observes requests.
    ///
    /// `decide` gets the request with the changes of earlier interceptors. It is not called after a redirect to another
    /// origin, because its additions, such as credentials, are meant for the original origin.
    public static func request(
        _ decide: @escaping @Sendable (Request, CallContext) async -> Decision
    ) -> Interceptor {
        Interceptor(outgoing: decide, incoming: { output, _, _ in output })
    }

    /// Makes an interceptor that changes or observes outputs; `change` also gets the request that was sent.
    public static func output(
        _ change: @escaping @Sendable (Output, Request, CallContext) async -> Output
    ) -> Interceptor {
        Interceptor(outgoing: { request, _ in .send(request) }, incoming: change)
    }
}

/// Facts about the current call, for interceptors.
public struct CallContext: Sendable {
    /// The endpoint's name for messages, such as `Shop.Stock`, or the name passed with a plain request.
    public var endpoint: String { name() }
    /// The attempt's number, counted from 1; each followed redirect is an attempt of its own.
    public let attempt: Int
    /// The time left for the attempt.
    public let remaining: Duration

    let name: @Sendable () -> String
}
