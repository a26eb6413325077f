import Synchronization

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
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - time: The time of the attempt, as it was set, for the error.
    ///   - carry: The transport: a request and its time to an output.
    /// - Returns: The request as it was sent, and what came of it.
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
