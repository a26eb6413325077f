import HTTPTypes
import KeywedgeTestKit
import Synchronization
import Testing
@testable import WebAPI

@Suite struct APIClientTests {
    static func attempt(_ request: Request, _ output: Output) -> Attempt {
        Attempt(
            cause: .first, request: request, output: output, waited: .zero, startedAfter: .zero,
            took: .zero)
    }

    private struct Greeting: Endpoint {
        var methodAndPayload: MethodAndPayload = .get
        var call: Call<String> { Call(.empty, methodAndPayload, baseURL: "https://shop.example") }
    }

    private static func response(_ status: Int, _ text: String = "") -> Output {
        .response(Response(status: .init(code: status), payload: Array(text.utf8)))
    }

    private static let refused = Output.noResponse(ConnectionError(.refused, during: .connect))

    /// Retries up to `times` times, after one, two, three … seconds, if the request is safe to repeat.
    private static func retrying(_ times: Int) -> RetryPolicy {
        RetryPolicy { failure in
            failure.tries <= times && failure.isSafeToRepeat
                ? .retry(after: .seconds(failure.tries)) : .giveUp
        }
    }

    @Test func attemptsAreRepeatedAfterTheirWaits() async throws {
        let clock = ManualClock(jumps: true)
        let transport = StubTransport([
            Self.refused, Self.response(503), Self.response(200, "hello"),
        ])
        let client = APIClient(transport: transport, retries: Self.retrying(5), clock: clock)
        let call = await client.call(Greeting(), within: .seconds(10))
        #expect(try call.result.get() == "hello")
        #expect(call.attempts.map(\.cause) == [.first, .retry, .retry])
        #expect(call.attempts.map(\.waited) == [.zero, .seconds(1), .seconds(2)])
        #expect(call.attempts.map(\.startedAfter) == [.zero, .seconds(1), .seconds(3)])
        #expect(call.took == .seconds(3))
        #expect(clock.slept == [.seconds(1), .seconds(2)])
    }

    @Test func theErrorHoldsAllAttempts() async throws {
        let client = APIClient(
            transport: StubTransport([
                Self.refused,
                .response(Response(status: .serviceUnavailable, payload: Array("busy".utf8))),
            ]),
            retries: Self.retrying(1), clock: ManualClock(jumps: true))
        let error = try await failure(of: Greeting(), by: client)
        #expect(
            error.description
                == "APIClientTests.Greeting: the server answered 503 Service Unavailable: "
                + #""busy"; the request was GET https://shop.example/, the last of 2"#)
        #expect(error.response?.text == "busy")
        #expect(
            error.debugDescription == """
                APIClientTests.Greeting: the server answered 503 Service Unavailable: "busy"; \
                the request was GET https://shop.example/, the last of 2
                attempt 1, first at 0s: GET https://shop.example/: the connection was refused, \
                took 0s
                attempt 2, retry at 1s, waited 1s: GET https://shop.example/: \
                503 Service Unavailable, 4 bytes, took 0s
                GET https://shop.example/
                Accept: */*
                503 Service Unavailable, 4 bytes
                "busy"
                """)
    }

    @Test func aWaitThatIsLongerThanWhatIsLeftIsNotBegun() async throws {
        let clock = ManualClock(jumps: true)
        let client = APIClient(
            transport: StubTransport([Self.response(503), Self.response(503)]),
            retries: Self.retrying(9), clock: clock)
        let error = try await failure(of: Greeting(), by: client, within: .seconds(2))
        #expect(error.attempts.count == 2)
        #expect(clock.slept == [.seconds(1)])
    }

    @Test func whatTheServerMayHaveDoneIsNotDoneAgain() async throws {
        let post = Greeting(methodAndPayload: .post(.text("x")))
        for (output, attempts) in [
            (Self.refused, 2), (Self.response(503), 1),
            (.noResponse(ConnectionError(.closed, during: .head)), 1),
        ] {
            let client = APIClient(
                transport: StubTransport([output, output]), retries: Self.retrying(1),
                clock: ManualClock(jumps: true))
            let error = try await failure(of: post, by: client)
            #expect(error.attempts.count == attempts)
        }
    }

    @Test func theReadyPolicyTriesAgainWhatMayGoWell() async throws {
        let throttled = Output.response(
            Response(status: .tooManyRequests, headers: [.retryAfter: "7"]))
        let cases: [(Output, [Duration])] = [
            (Self.refused, [.milliseconds(750), .milliseconds(1500), .milliseconds(1500)]),
            (Self.response(503), [.milliseconds(750), .milliseconds(1500), .milliseconds(1500)]),
            (throttled, [.seconds(7) * 1.05, .seconds(7) * 1.05, .seconds(7) * 1.05]),
            (Self.response(500), []),
            (Self.response(404), []), (Self.response(200, "hello"), []),
            (.noResponse(ConnectionError(.certificateNotTrusted, during: .tls)), []),
        ]
        for (output, waits) in cases {
            let clock = ManualClock(jumps: true)
            let client = APIClient(
                transport: StubTransport { _, _ in output },
                retries: .transient(
                    tries: 4, waits: [.seconds(1), .seconds(2)], chance: { 0.5 }), clock: clock)
            _ = await client.result(of: Greeting(), within: .seconds(60))
            #expect(clock.slept == waits)
        }
    }

    @Test func anAttemptHasItsOwnTimeWithinTheCalls() async throws {
        let clock = ManualClock()
        let given = Mutex<[Duration]>([])
        let transport = StubTransport { _, limit in
            given.withLock { $0.append(limit) }
            clock.advance(by: limit)
            return .noResponse(ConnectionError(.timedOut(after: limit), during: .head))
        }
        let client = APIClient(
            transport: transport, retries: RetryPolicy { _ in .retry(after: .zero) },
            attemptLimit: .milliseconds(800), clock: clock)
        let error = try await failure(of: Greeting(), by: client, within: .milliseconds(1500))
        #expect(given.withLock { $0 } == [.milliseconds(800), .milliseconds(700)])
        #expect(
            error.reason.description
                == "the time of 700ms was up while the response was waited for")
        #expect(error.attempts.map(\.took) == [.milliseconds(800), .milliseconds(700)])
    }

    private func layers(_ name: String, _ log: Log) -> [Interceptor] {
        [
            .request { request, context in
                log.add("\(name) out \(context.attempt) of \(context.endpoint)")
                var request = request
                request.queries.append(Query(name, context.attempt))
                return .send(request)
            },
            .output { output, request, context in
                log.add("\(name) in \(context.attempt) \(request.queries.count)")
                return output
            },
        ]
    }

    private final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
        var all: [String] { entries.withLock { $0 } }
    }

    @Test func interceptorsAreLayersAndSeeEveryAttempt() async throws {
        let log = Log()
        let transport = StubTransport([Self.response(503), Self.response(200, "hello")])
        let client = APIClient(
            transport: transport,
            interceptors: layers("a", log) + layers("b", log),
            retries: Self.retrying(1), clock: ManualClock(jumps: true))
        #expect(try await client.send(Greeting()) == "hello")
        #expect(
            log.all == [
                "a out 1 of APIClientTests.Greeting", "b out 1 of APIClientTests.Greeting",
                "b in 1 2", "a in 1 2", "a out 2 of APIClientTests.Greeting",
                "b out 2 of APIClientTests.Greeting", "b in 2 2", "a in 2 2",
            ])
        #expect(
            transport.requests.map(\.description) == [
                "GET https://shop.example/?a=1&b=1", "GET https://shop.example/?a=2&b=2",
            ])
    }

    @Test func anInterceptorCanTurnAnErrorIntoAResponseAndRefuseARequest() async throws {
        let transport = StubTransport([Self.refused])
        var client = APIClient(
            transport: transport,
            interceptors: [
                .output { output, _, _ in
                    output.connectionError == nil ? output : Self.response(200, "from the cache")
                }
            ], retries: .transient(tries: 3, waits: []))
        #expect(try await client.send(Greeting()) == "from the cache")
        client.interceptors = [.request { _, _ in .refuse("no token") }]
        let error = try await failure(of: Greeting(), by: client)
        #expect(error.reasonText == "the request was refused before it was sent: no token")
        #expect(error.connectionError?.serverMayHaveBeenReached == false)
        #expect(error.attempts.count == 1 && transport.requests.count == 1)
    }

    @Test func thePartsThatTheClientHasAreAdded() async throws {
        let transport = StubTransport([
            Self.response(200, "hello"), Self.response(200, "hello"),
            Self.response(200, #"{"full_name":"Mate"}"#),
        ])
        let client = APIClient(
            baseURL: "https://shop.example/v2",
            headers: [.userAgent: "till", .accept: "text/plain"],
            keys: .snakeCase, transport: transport)
        _ = try await client.send(Call<String>("/greeting"))
        _ = try await client.send(
            Call<String>("/greeting", headers: [.userAgent: "own"], baseURL: "https://b.example"))
        struct Item: Decodable, Sendable { let fullName: String }
        #expect(try await client.send(Call<Item>("/items/1")).fullName == "Mate")
        #expect(
            transport.requests.map(\.url.description) == [
                "https://shop.example/v2/greeting", "https://b.example/greeting",
                "https://shop.example/v2/items/1",
            ])
        #expect(transport.requests.map { $0.headers[.userAgent] } == ["till", "own", "till"])
        #expect(transport.requests[0].headers[.accept] == "text/plain")
        let nowhere = APIClient(transport: transport)
        let error = try await failure(of: Call<String>("/greeting"), by: nowhere)
        #expect(error.reason == .noRequest(.noBaseURL))
    }

    @Test func aRequestThatIsNoEndpointIsDecodedToo() async throws {
        let client = APIClient(
            transport: StubTransport([Self.response(200, "[1,2]"), Self.response(401, "[1]")]))
        let request = Request(try Address("https://shop.example/numbers"))
        #expect(try await client.send(request, decoding: [Int].self) == [1, 2])
        let error = await #expect(throws: CallError.self) {
            try await client.send(request, decoding: [Int].self)
        }
        #expect(error?.endpoint == "Array" && error?.response?.status == .unauthorized)
    }

    /// A refusal fails the call even if the parser accepts every response.
    @Test func aStatusIsCheckedBeforeTheParser() async throws {
        let sloppy = Call<Int>(
            .empty, baseURL: "https://shop.example", parser: Parser { $0.payload.count })
        for (output, isFound) in [(Self.response(401, "no"), false), (Self.response(404), true)] {
            var call = sloppy
            if isFound { call.statuses = .successfulOr([404]) }
            let result = await APIClient(transport: StubTransport([output])).result(of: call)
            #expect((try? result.get()) == (isFound ? 0 : nil))
        }
        let strict = APIClient(
            transport: StubTransport([Self.response(200, "no")]),
            check: { (response) throws(TransformError) in
                if response.text == "no" { throw .rejected("the service said no") }
            })
        let error = try await failure(of: sloppy, by: strict)
        #expect(error.reasonText == "the service said no" && error.response?.text == "no")
    }

    /// Cases: the transport or an interceptor hangs, and ignores cancellation.
    @Test(arguments: [false, true])
    func theClientKeepsTheTimeWhateverIsBelow(isInterceptor: Bool) async throws {
        let hang = Hang()
        let transport = StubTransport { _, _ in
            if !isInterceptor { await hang.forEver() }
            return Self.response(200, "late")
        }
        let hanging = Interceptor.request { request, _ in
            await hang.forEver()
            return .send(request)
        }
        let client = APIClient(
            transport: transport, interceptors: isInterceptor ? [hanging] : [])
        let error = try await failure(of: Greeting(), by: client, within: .milliseconds(20))
        #expect(error.connectionError?.kind == .timedOut(after: .milliseconds(20)))
        #expect(error.connectionError?.serverMayHaveBeenReached == !isInterceptor)
        let call = Task { try await failure(of: Greeting(), by: client, within: .seconds(3600)) }
        await hang.waitFor(2)
        call.cancel()
        #expect(try await call.value.reason == .cancelled)
        hang.end()
    }

    /// Operations that ignore cancellation and hang until the test calls ``end()``.
    private final class Hang: Sendable {
        private let hanging = Mutex<[CheckedContinuation<Void, Never>]>([])
        private let (begun, begin) = AsyncStream<Void>.makeStream()

        func forEver() async {
            await withCheckedContinuation { continuation in
                hanging.withLock { $0.append(continuation) }
                begin.yield()
            }
        }

        func waitFor(_ count: Int) async {
            var signs = begun.makeAsyncIterator()
            for _ in 0..<count { await signs.next() }
        }

        func end() {
            for one in hanging.withLock({ $0 }) { one.resume() }
        }
    }

    private struct Impossible: Endpoint {
        var baseURL: BaseURL = "https://shop.example"
        var code = "1"
        var amount = 1.5
        var call: Call<String> {
            get throws(RequestError) {
                Call("/items/\(code)", .post(try .json([amount])), baseURL: baseURL)
            }
        }
    }

    @Test(arguments: [
        (
            Impossible(baseURL: "shop.example"),
            #""shop.example" is not an address: expected http:// or https:// in front"#
        ),
        (
            Impossible(code: ".."),
            #""/items/.." is not an address: expected no segment '.' or '..', which servers resolve"#
        ),
        (
            Impossible(amount: .infinity),
            "the request's content cannot be written: inf: Unable to encode Double.inf directly in "
                + "JSON. at /0"
        ),
    ])
    private func aRequestThatCannotBeMadeIsNotSent(
        endpoint: Impossible, message: String
    ) async throws {
        let transport = StubTransport([])
        let client = APIClient(
            transport: transport, retries: RetryPolicy { _ in .retry(after: .zero) })
        let error = try await failure(of: endpoint, by: client)
        #expect(error.description == "APIClientTests.Impossible: \(message)")
        #expect(error.request == nil && transport.requests.isEmpty)
    }

    @Test func aResponseOfAnyStatusCanBeTakenAsItIs() async throws {
        let request = Request(try Address("https://shop.example"))
        for status in [100, 204, 302, 404, 599] {
            let outputs = [Self.response(status, "x"), Self.response(status, "x")]
            let client = APIClient(transport: StubTransport(outputs))
            #expect(try await client.send(AnyResponse(to: request)).status.code == status)
            #expect(await client.output(for: request).response?.text == "x")
        }
    }

    @Test func nothingButSuccessCanBeWanted() async throws {
        let ping = Call<Void>(.empty, baseURL: "https://shop.example")
        try await APIClient(transport: StubTransport([Self.response(204)])).send(ping)
        let client = APIClient(transport: StubTransport([Self.response(500)]))
        #expect(try await failure(of: ping, by: client).response?.status.code == 500)
    }
}
