import Synchronization

/// One call while it runs.
struct RunningCall {
    let client: APIClient
    let endpoint: String
    let limit: Duration
    let elapsed: @Sendable () -> Duration
    private(set) var attempts: [Attempt] = []

    init(client: APIClient, endpoint: String, limit: Duration) {
        self.client = client
        self.endpoint = endpoint
        self.limit = limit
        elapsed = Self.timer(client.clock)
    }

    /// What says how long ago this was.
    private static func timer(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let begin = clock.now
        return { begin.duration(to: clock.now) }
    }

    private var remaining: Duration { limit - elapsed() }

    /// Makes the request, sends it as often as the policy says, and makes a model of the response.
    mutating func run<E: Endpoint>(_ endpoint: E) async -> Result<E.Model, CallError> {
        do {
            let call = try endpoint.call
            return await run(call, try client.request(for: call))
        } catch {
            return .failure(failure(.noRequest(error), request: nil))
        }
    }

    private mutating func run<Model>(
        _ call: Call<Model>, _ request: Request
    ) async -> Result<Model, CallError> {
        var tries = 0
        var wait = Duration.zero
        while true {
            guard !Task.isCancelled else { return .failure(failure(.cancelled, request: request)) }
            guard remaining > .zero else { return .failure(failure(.noTime, request: request)) }
            let output = await send(request, cause: tries == 0 ? .first : .retry, waited: wait)
            tries += 1
            let reason: CallError.Reason
            switch client.outcome(of: output, by: call) {
            case .success(let model): return .success(model)
            case .failure(let error): reason = error
            }
            guard let next = decision(on: reason, tries: tries), await sleep(next) else {
                let isCancelled = Task.isCancelled
                return .failure(failure(isCancelled ? .cancelled : reason, request: request))
            }
            wait = next
        }
    }

    /// Sends one request through the interceptors, and on where redirects are followed.
    mutating func send(
        _ request: Request, cause: Attempt.Cause, waited: Duration
    ) async -> Output {
        var outgoing = OutgoingRequest(request: request)
        var output = await attempt(outgoing, cause: cause, waited: waited)
        var followed = 0
        while case .response(var response) = output {
            switch await client.redirects.decision(
                on: response, to: outgoing, from: request.url.origin, followed: followed,
                isPrivate: isPrivate)
            {
            case nil: return output
            case .refuse(let refusal):
                response.refusedRedirect = refusal
                return .response(response)
            case .follow(let next):
                guard remaining > .zero, !Task.isCancelled else { return output }
                followed += 1
                outgoing = next
                output = await attempt(outgoing, cause: .redirect, waited: .zero)
            }
        }
        return output
    }

    /// Whether a host is in a private network, as far as it can be looked up in time.
    private func isPrivate(_ origin: Origin) async -> Bool {
        await client.deadlines.run(within: remaining, late: { _ in false }) { () -> Bool in
            await PrivateNetwork.contains(origin)
        }
    }

    private mutating func attempt(
        _ outgoing: OutgoingRequest, cause: Attempt.Cause, waited: Duration
    ) async -> Output {
        let transport = client.transport
        return await attempt(outgoing, cause, waited) {
            await transport.output(for: $0, within: $1)
        }
    }

    private mutating func attempt(
        _ outgoing: OutgoingRequest, _ cause: Attempt.Cause, _ waited: Duration,
        over carry: @escaping @Sendable (Request, Duration) async -> Output
    ) async -> Output {
        let begin = elapsed()
        // The whole time is named if all of it was there, but for what it took to get here.
        let whole = attempts.isEmpty ? limit : limit - begin
        let time = min(whole, client.attemptLimit ?? whole)
        let trip = Trip(
            client: client, endpoint: endpoint, number: attempts.count + 1,
            isIntercepted: !outgoing.leftOrigin, end: min(begin + time, limit), elapsed: elapsed)
        let (request, output) = await trip.run(outgoing.request, naming: time, over: carry)
        attempts.append(
            Attempt(
                cause: cause, request: request, output: output, waited: waited,
                startedAfter: begin, took: elapsed() - begin))
        return output
    }

    /// Sends the request of a call and gives the beginning of its response.
    mutating func stream(
        _ endpoint: some Endpoint<Void>
    ) async throws(CallError) -> ResponseStream {
        let call: Call<Void>
        let request: Request
        do {
            call = try endpoint.call
            request = try client.request(for: call)
        } catch {
            throw failure(.noRequest(error), request: nil)
        }
        let stream = Mutex<ResponseStream?>(nil)
        let transport = client.transport
        let output = await attempt(OutgoingRequest(request: request), .first, .zero) {
            do throws(ConnectionError) {
                let begun = try await transport.stream(for: $0, within: $1).get()
                guard call.statuses.contains(begun.status) else {
                    return .response(try await begun.response())
                }
                stream.withLock { $0 = begun }
                return .response(Response(status: begun.status, headers: begun.headers))
            } catch {
                return .noResponse(error)
            }
        }
        if case .failure(let reason) = client.outcome(of: output, by: call) {
            throw failure(reason, request: request)
        }
        guard let begun = stream.withLock({ $0 }) else {
            throw failure(.cancelled, request: request)
        }
        return begun
    }

    private func failure(_ reason: CallError.Reason, request: Request?) -> CallError {
        CallError(
            endpoint: endpoint, reason: reason, request: attempts.last?.request ?? request,
            attempts: attempts)
    }

    /// How long to wait before the next try; nil if there is none.
    private func decision(on reason: CallError.Reason, tries: Int) -> Duration? {
        guard reason != .cancelled else { return nil }
        let failure = RetryPolicy.Failure(
            endpoint: endpoint, reason: reason, attempts: attempts, tries: tries,
            remaining: remaining)
        guard case .retry(let wait) = client.retries.decision(on: failure), wait < remaining else {
            return nil
        }
        return max(wait, .zero)
    }

    /// Waits and says whether the task goes on.
    private func sleep(_ wait: Duration) async -> Bool {
        if wait > .zero { try? await client.clock.sleep(for: wait) }
        return !Task.isCancelled
    }
}

extension APIClient {
    /// The model of an output, or why there is none.
    fileprivate func outcome<Model>(
        of output: Output, by call: Call<Model>
    ) -> Result<Model, CallError.Reason> {
        switch output {
        case .noResponse(let error):
            return .failure(error.kind == .cancelled ? .cancelled : .noResponse(error))
        case .response(let response):
            do {
                return .success(try model(of: response, by: call))
            } catch {
                return .failure(.noModel(error))
            }
        }
    }
}
