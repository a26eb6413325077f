import Synchronization

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
    /// It gets the request as the interceptors before it made it, but not the one that follows a redirect
    /// to another origin: what it adds is for the origin the request was made for.
    public static func request(
        _ decide: @escaping @Sendable (Request, CallContext) async -> Decision
    ) -> Interceptor {
        Interceptor(outgoing: decide, incoming: { output, _, _ in output })
    }

    /// An interceptor that changes outputs, or looks at them; it gets the request as it was sent, too.
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

/// The way of one request through interceptors and transport and back, which ends in time whatever
/// they do.
struct Trip: Sendable {
    let client: APIClient
    let endpoint: String
    let number: Int
    let isIntercepted: Bool
    let end: Duration
    let elapsed: @Sendable () -> Duration

    /// Sends a request.
    func run(
        _ request: Request, naming time: Duration,
        over carry: @escaping @Sendable (Request, Duration) async -> Output
    ) async -> (Request, Output) {
        let sent = Mutex<Request?>(nil)
        let output = await client.deadlines.run(
            within: end - elapsed(),
            late: { isCancelled -> Output in
                .noResponse(
                    ConnectionError(
                        isCancelled ? .cancelled : .timedOut(after: time),
                        during: sent.withLock { $0 } == nil ? .connect : .head))
            }
        ) { () -> Output in
            var request = request
            for interceptor in isIntercepted ? client.interceptors : [] {
                switch await interceptor.outgoing(request, context) {
                case .send(let changed): request = changed
                case .refuse(let reason):
                    return .noResponse(ConnectionError(.intercepted(reason), during: .connect))
                }
            }
            let final = request
            sent.withLock { $0 = final }
            let rest = end - elapsed()
            var output = await carry(final, rest).naming(time, insteadOf: rest)
            for interceptor in client.interceptors.reversed() {
                output = await interceptor.incoming(output, final, context)
            }
            return output
        }
        return (sent.withLock { $0 } ?? request, output)
    }

    private var context: CallContext {
        CallContext(endpoint: endpoint, attempt: number, remaining: end - elapsed())
    }
}

extension Output {
    /// The output with the time of an attempt as it was set, not as it was when the request went out.
    fileprivate func naming(_ time: Duration, insteadOf rest: Duration) -> Output {
        guard case .noResponse(let error) = self, error.kind == .timedOut(after: rest) else {
            return self
        }
        return .noResponse(
            ConnectionError(
                .timedOut(after: time), during: error.phase,
                serverMayHaveBeenReached: error.serverMayHaveBeenReached,
                underlying: error.underlying, partial: error.partial))
    }
}
