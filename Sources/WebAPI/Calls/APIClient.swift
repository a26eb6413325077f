// One import is enough to use this library.
@_exported public import HTTPTypes
@_exported public import WireText

/// Calls endpoints of one service.
///
/// It is a value, copied and changed freely: one client for each service, all on one transport.
public struct APIClient: Sendable {
    /// What carries the requests.
    public var transport: any Transport
    /// Where the service is, for calls that do not say it.
    public var baseURL: BaseURL?
    /// Header fields of every request that does not have a field of that name.
    public var headers: HTTPFields
    /// How keys of JSON become the names of a model's properties.
    public var keys: KeyStrategy
    /// Judges a response before its status is looked at.
    ///
    /// It is the place for a service that throttles with 403 or refuses with 200. Whatever it lets pass
    /// still needs a status that the call accepts.
    public var check: @Sendable (Response) throws(TransformError) -> Void
    /// What is before the transport, in order.
    public var interceptors: [Interceptor]
    /// Whether a call is tried again.
    public var retries: RetryPolicy
    /// Whether redirects are followed.
    public var redirects: RedirectPolicy
    /// The time for one attempt; nil for what the call has left.
    public var attemptLimit: Duration?

    let clock: any Clock<Duration>
    let deadlines = Deadlines()

    /// Makes a client.
    ///
    /// `clock` measures attempts and the waits between them; that an attempt ends in time is decided by
    /// real time.
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

    /// Calls an endpoint; `limit` is the time for all of it: attempts, waits, redirects, and the last
    /// byte of the content.
    ///
    /// - Throws: ``CallError``, with everything that is known.
    public func send<E: Endpoint>(
        _ endpoint: E, within limit: Duration = .seconds(10)
    ) async throws(CallError) -> E.Model {
        try await call(endpoint, within: limit).result.get()
    }

    /// Sends a request that is no endpoint, and makes a model of the JSON that comes back.
    ///
    /// - Throws: ``CallError``, with everything that is known.
    public func send<Model: Decodable & Sendable>(
        _ request: Request, decoding type: Model.Type, within limit: Duration = .seconds(10)
    ) async throws(CallError) -> Model {
        try await send(Call<Model>(request, parser: .json), within: limit)
    }

    /// Calls an endpoint and gives what came of it as a value.
    public func result<E: Endpoint>(
        of endpoint: E, within limit: Duration = .seconds(10)
    ) async -> Result<E.Model, CallError> {
        await call(endpoint, within: limit).result
    }

    /// Sends a request once and gives back what came of it, of any status.
    ///
    /// Interceptors see it, under `name`, and redirects are followed as the client is set up, but
    /// nothing is tried again and nothing is checked.
    public func output(
        for request: Request, named name: String = "request", within limit: Duration = .seconds(10)
    ) async -> Output {
        var call = RunningCall(client: self, endpoint: name, limit: limit)
        return await call.send(request, cause: .first, waited: .zero)
    }

    /// Calls an endpoint and gives the beginning of its response, whose content is read as it comes.
    ///
    /// `limit` is the time until the content begins. Interceptors see status and header fields.
    /// Redirects are not followed, and nothing is tried again.
    ///
    /// - Throws: ``CallError``, with what the server said for a status that is not accepted.
    public func stream(
        _ endpoint: some Endpoint<Void>, within limit: Duration = .seconds(10)
    ) async throws(CallError) -> ResponseStream {
        var running = RunningCall(client: self, endpoint: endpoint.name, limit: limit)
        return try await running.stream(endpoint)
    }

    /// Calls an endpoint and gives all attempts with its result, also after success.
    public func call<E: Endpoint>(
        _ endpoint: E, within limit: Duration = .seconds(10)
    ) async -> CallOutcome<E.Model> {
        var call = RunningCall(client: self, endpoint: endpoint.name, limit: limit)
        let result = await call.run(endpoint)
        return CallOutcome(result: result, attempts: call.attempts, took: call.elapsed())
    }
}

extension APIClient {
    /// The request of a call, with what the client adds.
    func request<Model>(for call: Call<Model>) throws(RequestError) -> Request {
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
        return request
    }

    /// Makes a model of a response whose status the call accepts.
    func model<Model>(of response: Response, by call: Call<Model>) throws(TransformError) -> Model {
        try accept(response, call.statuses)
        return try call.parser.parse(response, keys)
    }

    /// Passes a response with an accepted status; throws what any other says.
    func accept(_ response: Response, _ statuses: AcceptedStatuses) throws(TransformError) {
        try check(response)
        if !statuses.contains(response.status) { try response.requireSuccess() }
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
