/// Calls endpoints.
///
/// It holds no state but its parts, so that it is copied and changed freely: one client for each
/// service, all on one transport.
public struct APIClient: Sendable {
    /// What carries the requests.
    public var transport: any Transport

    /// What stands before the transport, in order.
    public var interceptors: [any Interceptor]

    /// Whether a call is tried again.
    public var retries: RetryPolicy

    /// Whether redirects are followed.
    public var redirects: RedirectPolicy

    /// The time for one attempt; `nil` for what the call has left.
    public var attemptLimit: Duration?

    let clock: AnyClock

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - transport: What carries the requests.
    ///   - interceptors: What stands before the transport, in order.
    ///   - retries: Whether a call is tried again.
    ///   - redirects: Whether redirects are followed.
    ///   - attemptLimit: The time for one attempt; `nil` for what the call has left.
    ///   - clock: What measures attempts and waits between them. The time limit of an attempt is
    ///     kept by the transport.
    public init(
        transport: any Transport, interceptors: [any Interceptor] = [],
        retries: RetryPolicy = .never, redirects: RedirectPolicy = .refuse,
        attemptLimit: Duration? = nil, clock: some Clock<Duration> = EventLoopClock()
    ) {
        self.transport = transport
        self.interceptors = interceptors
        self.retries = retries
        self.redirects = redirects
        self.attemptLimit = attemptLimit
        self.clock = AnyClock(clock)
    }

    /// Calls an endpoint.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - limit: The time for all of it: attempts, waits, redirects, and the last byte of the
    ///     content.
    /// - Returns: The model.
    /// - Throws: ``CallError``, with everything that is known.
    public func send<E: Endpoint>(
        _ endpoint: E, within limit: Duration = .seconds(10)
    ) async throws(CallError) -> E.Model {
        try await result(of: endpoint, within: limit).get()
    }

    /// Calls an endpoint and gives what came of it as a value.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - limit: The time for all of it.
    /// - Returns: The model, or why there is none.
    public func result<E: Endpoint>(
        of endpoint: E, within limit: Duration = .seconds(10)
    ) async -> Result<E.Model, CallError> {
        await call(endpoint, within: limit).result
    }

    /// Sends a request once and gives back what came of it, of any status.
    ///
    /// Interceptors see it and redirects are followed as the client is set up, but nothing is tried
    /// again.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - name: What it is called towards the interceptors.
    ///   - limit: The time for all of it.
    /// - Returns: The output.
    public func output(
        for request: Request, named name: String = "request", within limit: Duration = .seconds(10)
    ) async -> Output {
        var call = Call(client: self, endpoint: name, limit: limit)
        return await call.send(request, cause: .first, waited: .zero)
    }

    /// Calls an endpoint and tells all attempts, also where it went well.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - limit: The time for all of it.
    /// - Returns: The model or the error, and all that was sent.
    public func call<E: Endpoint>(
        _ endpoint: E, within limit: Duration = .seconds(10)
    ) async -> CallOutcome<E.Model> {
        var call = Call(client: self, endpoint: endpoint.endpointName, limit: limit)
        let result = await call.run(endpoint)
        return CallOutcome(result: result, attempts: call.attempts, took: call.elapsed())
    }
}

/// What came of a call, and all that was sent for it.
public struct CallOutcome<Model: Sendable>: Sendable {
    /// The model, or why there is none.
    public let result: Result<Model, CallError>

    /// All that was sent, in order.
    public let attempts: [Attempt]

    /// How long it took, waits included.
    public let took: Duration
}
