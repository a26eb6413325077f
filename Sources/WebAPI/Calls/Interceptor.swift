/// Something that stands between the client and the transport, and sees every attempt.
///
/// Of several, the first sees the request first and the output last, as layers do. An interceptor
/// does not throw and cannot drop anything: it gives back a request and an output.
public protocol Interceptor: Sendable {
    /// Changes a request before it is sent, or looks at it.
    ///
    /// It is not asked for the request that follows a redirect to another origin: what it adds is
    /// for the origin the request was made for.
    ///
    /// - Parameters:
    ///   - request: The request as the interceptors before made it.
    ///   - context: Which call and which attempt it is for.
    /// - Returns: The request that goes on.
    func outgoing(_ request: Request, in context: CallContext) async -> Request

    /// Changes an output, or looks at it.
    ///
    /// - Parameters:
    ///   - output: What came of the request.
    ///   - request: The request as it was sent.
    ///   - context: Which call and which attempt it is for.
    /// - Returns: The output that goes on.
    func incoming(
        _ output: Output, of request: Request, in context: CallContext
    ) async -> Output
}

extension Interceptor {
    /// Lets the request pass.
    public func outgoing(_ request: Request, in context: CallContext) async -> Request { request }

    /// Lets the output pass.
    public func incoming(
        _ output: Output, of request: Request, in context: CallContext
    ) async -> Output { output }
}

/// What an interceptor is told of the call.
public struct CallContext: Sendable {
    /// The endpoint's name.
    public let endpoint: String

    /// Which attempt it is, from 1; redirects that are followed count.
    public let attempt: Int

    /// The time that is left for the attempt; whoever waits for longer makes the call late.
    public let remaining: Duration
}
