// One import is enough to use this library.
@_exported public import HTTPTypes
@_exported public import WireText

/// A client that calls the endpoints of a web service.
///
/// Clients are values. Make one client for each service; all clients can share one transport.
public struct APIClient: Sendable {
    /// The transport that sends the requests to the service.
    public var transport: any Transport
    /// The service's base URL, for calls without a base URL of their own.
    public var baseURL: BaseURL?
    /// The header fields to add to each call's request, unless the call sets the same field.
    public var headers: HTTPFields
    /// How JSON keys map to the property names of models.
    public var keys: KeyStrategy
    /// A closure that rejects a response by throwing an error; the client calls it before it checks the status.
    ///
    /// Use it for a service that reports throttling with status 403, or failures with status 200. A response that
    /// passes must still have a status that the call accepts.
    public var check: @Sendable (Response) throws(TransformError) -> Void
    /// The interceptors, called in order for requests, and in reverse for responses and errors.
    public var interceptors: [Interceptor]
    /// The policy that decides whether to retry a failed call; by default, the client never retries.
    public var retries: RetryPolicy
    /// The policy that decides whether to follow redirects; by default, the client follows none.
    public var redirects: RedirectPolicy
    /// The time limit for one attempt; nil if only the time limit of the call applies.
    public var attemptLimit: Duration?

    let clock: any Clock<Duration>
    let deadlines = Deadlines()

    /// Creates a client; the parameters set the properties of the same names.
    ///
    /// `clock` measures how long a call takes, and times the waits between attempts. The time limits of attempts always
    /// use real time, even if `clock` does not.
    public init(
        baseURL: BaseURL? = nil, headers: HTTPFields = [:], keys: KeyStrategy = .asWritten,
        transport: any Transport,
        check: @escaping @Sendable (Response) throws(TransformError) -> Void = { _ in },
        interceptors: [Interceptor] = [], retries: RetryPolicy = .never,
        redirects: RedirectPolicy = .refuse, attemptLimit: Duration? = nil,
        clock: some Clock<Duration> = EventLoopClock()
    ) {
        self.transport = transport
        self.baseURL = baseURL
        self.headers = headers
        self.keys = keys
        self.check = check
        self.interceptors = interceptors
        self.retries = retries
        self.redirects = redirects
        self.attemptLimit = attemptLimit
        self.clock = clock
    }

    /// Calls an endpoint and returns its model.
    ///
    /// `limit` covers the whole call: attempts, waits, redirects, and reading the content.
    ///
    /// - Throws: ``CallError``, which contains the reason and every attempt.
    public func send<E: Endpoint>(
        _ endpoint: E, within limit: Duration = .seconds(10)
    ) async throws(CallError) -> E.Model {
        try await call(endpoint, within: limit).result.get()
    }

    /// Sends a request, and decodes a model from the JSON in the response; no endpoint is needed.
    public func send<Model: Decodable & Sendable>(
        _ request: Request, decoding type: Model.Type, within limit: Duration = .seconds(10)
    ) async throws(CallError) -> Model {
        try await send(Call<Model>(request, parser: .json), within: limit)
    }

    /// Calls an endpoint and returns the model or error as a `Result`.
    public func result<E: Endpoint>(
        of endpoint: E, within limit: Duration = .seconds(10)
    ) async -> Result<E.Model, CallError> {
        await call(endpoint, within: limit).result
    }

    /// Sends a request without retrying it; returns the response, whatever its status, or the error.
    ///
    /// Interceptors see `name` as the endpoint's name. The client follows redirects as usual, but does not use
    /// ``check``.
    public func output(
        for request: Request, named name: String = "request", within limit: Duration = .seconds(10)
    ) async -> Output {
        var call = RunningCall(client: self, name: { name }, limit: limit)
        return await call.send(request, cause: .first, waited: .zero)
    }

    /// Calls an endpoint and returns a response whose content can be read as it arrives.
    ///
    /// The content must begin within `limit`. Interceptors see only the response's status and header fields. The client
    /// neither retries nor follows redirects.
    ///
    /// - Throws: ``CallError``; if the call does not accept the status, the error contains the server's message.
    public func stream(
        _ endpoint: some Endpoint<Void>, within limit: Duration = .seconds(10)
    ) async throws(CallError) -> ResponseStream {
        var running = RunningCall(client: self, name: { endpoint.name }, limit: limit)
        return try await running.stream(endpoint)
    }

    /// Calls an endpoint, and returns the result and a record of every attempt.
    public func call<E: Endpoint>(
        _ endpoint: E, within limit: Duration = .seconds(10)
    ) async -> CallOutcome<E.Model> {
        var call = RunningCall(client: self, name: { endpoint.name }, limit: limit)
        let result = await call.run(endpoint)
        return CallOutcome(result: result, attempts: call.attempts, took: call.elapsed())
    }
}

extension APIClient {
    /// Returns an endpoint's call, and its request with the client's defaults added.
    func prepared<E: Endpoint>(
        _ endpoint: E
    ) throws(RequestError) -> (call: Call<E.Model>, request: Request) {
        let call = try endpoint.call
        guard let base = call.baseURL ?? baseURL else { throw .noBaseURL }
        var request: Request
        do {
            request = Request(
                try base.address.get().appending(call.path), queries: call.queries,
                headers: call.headers, call.methodAndPayload)
        } catch {
            throw .address(error)
        }
        for field in headers where call.headers[field.name] == nil {
            request.headers.append(field)
        }
        if request.headers[.accept] == nil, let accept = call.parser.accept {
            request.headers[.accept] = accept
        }
        return (call, request)
    }

    /// Turns a response into a model; throws if ``check`` or the call rejects it.
    func model<Model>(of response: Response, by call: Call<Model>) throws(TransformError) -> Model {
        try check(response)
        if !call.statuses.contains(response.status) { try response.requireSuccess() }
        return try call.parser.parse(response, keys)
    }
}

/// The result of a call, and all its attempts.
public struct CallOutcome<Model: Sendable>: Sendable {
    /// The model, or the error if the call produced none.
    public let result: Result<Model, CallError>
    /// All attempts, in the order in which they were sent; empty if nothing was sent.
    public let attempts: [Attempt]
    /// How long the call took, including waits.
    public let took: Duration
}
