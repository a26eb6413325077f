/// One call while it runs.
struct Call {
    let client: APIClient
    let endpoint: String
    let limit: Duration
    let elapsed: @Sendable () -> Duration
    private(set) var attempts: [Attempt] = []

    init(client: APIClient, endpoint: String, limit: Duration) {
        self.client = client
        self.endpoint = endpoint
        self.limit = limit
        elapsed = client.clock.start()
    }

    private var remaining: Duration { limit - elapsed() }

    /// Makes the request, sends it as often as the policy says, and makes a model of the response.
    mutating func run<E: Endpoint>(_ endpoint: E) async -> Result<E.Model, CallError> {
        let request: Request
        do {
            request = try endpoint.request()
        } catch {
            return .failure(failure(.noRequest(error), request: nil))
        }
        var tries = 0
        var wait = Duration.zero
        while true {
            guard !Task.isCancelled else { return .failure(failure(.cancelled, request: request)) }
            guard remaining > .zero else { return .failure(failure(.noTime, request: request)) }
            let cause = tries == 0 ? Attempt.Cause.first : .retry
            let output = await send(request, cause: cause, waited: wait)
            tries += 1
            let reason: CallError.Reason
            switch Self.model(of: output, by: endpoint) {
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
            switch client.redirects.decision(on: response, to: outgoing, followed: followed) {
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

    private mutating func attempt(
        _ outgoing: OutgoingRequest, cause: Attempt.Cause, waited: Duration
    ) async -> Output {
        let begin = elapsed()
        // The whole time is named where the whole was there, but for what it took to get here.
        let whole = attempts.isEmpty ? limit : limit - begin
        let time = min(whole, client.attemptLimit ?? whole)
        let end = min(begin + time, limit)
        var request = outgoing.request
        if !outgoing.leftOrigin {
            for interceptor in client.interceptors {
                request = await interceptor.outgoing(request, in: context(until: end))
            }
        }
        let rest = end - elapsed()
        var output = await client.transport.output(for: request, within: rest)
            .naming(time, insteadOf: rest)
        for interceptor in client.interceptors.reversed() {
            output = await interceptor.incoming(
                output, of: request, in: context(until: end))
        }
        attempts.append(
            Attempt(
                cause: cause, request: request, output: output, waited: waited,
                startedAfter: begin, took: elapsed() - begin))
        return output
    }

    private func context(until end: Duration) -> CallContext {
        CallContext(endpoint: endpoint, attempt: attempts.count + 1, remaining: end - elapsed())
    }

    private func failure(_ reason: CallError.Reason, request: Request?) -> CallError {
        CallError(
            endpoint: endpoint, reason: reason, request: attempts.last?.request ?? request,
            attempts: attempts)
    }

    private static func model<E: Endpoint>(
        of output: Output, by endpoint: E
    ) -> Result<E.Model, CallError.Reason> {
        switch output {
        case .noResponse(let error):
            return .failure(error.kind == .cancelled ? .cancelled : .noResponse(error))
        case .response(let response):
            do {
                return .success(try endpoint.model(from: response))
            } catch {
                return .failure(.noModel(error))
            }
        }
    }

    /// How long to wait before the next try; `nil` where there is none.
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
        if wait > .zero { try? await client.clock.sleep(wait) }
        return !Task.isCancelled
    }
}

/// A clock whose type is erased.
struct AnyClock: Sendable {
    /// Starts to measure; what is returned tells how long ago that was.
    let start: @Sendable () -> @Sendable () -> Duration

    /// Waits; ends early, with an error, where the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    init<C: Clock>(_ clock: C) where C.Duration == Duration {
        start = {
            let begin = clock.now
            return { begin.duration(to: clock.now) }
        }
        sleep = { try await clock.sleep(for: $0) }
    }
}
