import Synchronization

struct RunningCall: Sendable {
    let client: APIClient
    /// A function that returns the endpoint's name, which is slow to compute and rarely needed.
    let name: @Sendable () -> String
    let limit: Duration
    let elapsed: @Sendable () -> Duration
    private(set) var attempts: [Attempt] = []

    init(client: APIClient, name: @escaping @Sendable () -> String, limit: Duration) {
        self.client = client
        self.name = name
        self.limit = limit
        elapsed = Self.timer(client.clock)
    }

    private static func timer(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let begin = clock.now
        return { begin.duration(to: clock.now) }
    }

    private var remaining: Duration { limit - elapsed() }

    /// Sends an endpoint's request, retries as the policy decides, and turns the response into a model.
    mutating func run<E: Endpoint>(_ endpoint: E) async -> Result<E.Model, CallError> {
        do {
            let (call, request) = try client.prepared(endpoint)
            return await run(call, request)
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

    /// Sends a request through the interceptors, and follows redirects as the policy decides.
    mutating func send(
        _ request: Request, cause: Attempt.Cause, waited: Duration
    ) async -> Output {
        var outgoing = OutgoingRequest(request: request)
        var output = await attempt(outgoing, cause, waited: waited)
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
                output = await attempt(outgoing, .redirect)
            }
        }
        return output
    }

    /// Whether a host is in a private network; false if its name cannot be looked up in time.
    private func isPrivate(_ origin: Origin) async -> Bool {
        await client.deadlines.run(within: remaining, late: { _ in false }) { () -> Bool in
            await PrivateNetwork.contains(origin)
        }
    }

    /// Sends a request with the transport, or with `carry` if given, and records the attempt.
    private mutating func attempt(
        _ outgoing: OutgoingRequest, _ cause: Attempt.Cause, waited: Duration = .zero,
        over carry: (@Sendable (Request, Duration) async -> Output)? = nil
    ) async -> Output {
        let transport = client.transport
        let carry = carry ?? { await transport.output(for: $0, within: $1) }
        let begin = elapsed()
        // If the first attempt times out, its error names the whole limit, not the time left after preparation.
        let whole = attempts.isEmpty ? limit : limit - begin
        let time = min(whole, client.attemptLimit ?? whole)
        let (request, output) = await trip(
            of: outgoing, until: min(begin + time, limit), naming: time, over: carry)
        attempts.append(
            Attempt(
                cause: cause, request: request, output: output, waited: waited,
                startedAfter: begin, took: elapsed() - begin))
        return output
    }

    /// Sends a request through the interceptors and the transport, within a time limit.
    private func trip(
        of outgoing: OutgoingRequest, until end: Duration, naming time: Duration,
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
            var request = outgoing.request
            for interceptor in outgoing.leftOrigin ? [] : client.interceptors {
                switch await interceptor.outgoing(request, context(until: end)) {
                case .send(let changed): request = changed
                case .refuse(let reason):
                    return .noResponse(ConnectionError(.intercepted(reason), during: .connect))
                }
            }
            let final = request
            sent.withLock { $0 = final }
            let rest = end - elapsed()
            var output = await carry(final, rest)
            if case .noResponse(var error) = output, error.kind == .timedOut(after: rest) {
                // The error names the limit as set, not the time that was left when the request was sent.
                error.kind = .timedOut(after: time)
                output = .noResponse(error)
            }
            for interceptor in client.interceptors.reversed() {
                output = await interceptor.incoming(output, final, context(until: end))
            }
            return output
        }
        return (sent.withLock { $0 } ?? outgoing.request, output)
    }

    private func context(until end: Duration) -> CallContext {
        CallContext(attempt: attempts.count + 1, remaining: end - elapsed(), name: name)
    }

    /// Sends an endpoint's request, and returns the response as soon as its content begins.
    mutating func stream(
        _ endpoint: some Endpoint<Void>
    ) async throws(CallError) -> ResponseStream {
        let call: Call<Void>
        let request: Request
        do {
            (call, request) = try client.prepared(endpoint)
        } catch {
            throw failure(.noRequest(error), request: nil)
        }
        let stream = Mutex<ResponseStream?>(nil)
        let transport = client.transport
        let output = await attempt(OutgoingRequest(request: request), .first) {
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
            endpoint: name(), reason: reason, request: attempts.last?.request ?? request,
            attempts: attempts)
    }

    /// Returns the wait before the next try; nil to give up, for example because too little time is left.
    private func decision(on reason: CallError.Reason, tries: Int) -> Duration? {
        guard reason != .cancelled else { return nil }
        let failure = RetryPolicy.Failure(
            endpoint: name(), reason: reason, attempts: attempts, tries: tries,
            remaining: remaining)
        guard case .retry(let wait) = client.retries.decision(failure), wait < remaining else {
            return nil
        }
        return max(wait, .zero)
    }

    /// Waits, and returns false if the task was cancelled.
    private func sleep(_ wait: Duration) async -> Bool {
        if wait > .zero { try? await client.clock.sleep(for: wait) }
        return !Task.isCancelled
    }
}

extension APIClient {
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
