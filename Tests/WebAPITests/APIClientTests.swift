import HTTPTypes
import KeywedgeTestKit
import Synchronization
import Testing
import WebAPI

@Suite struct APIClientTests {
    static func attempt(_ request: Request, _ output: Output) -> Attempt {
        Attempt(
            cause: .first, request: request, output: output, waited: .zero, startedAfter: .zero,
            took: .zero)
    }

    private struct Greeting: Endpoint {
        typealias Model = String
        let baseURL: BaseURL = "https://shop.example"
        var methodAndPayload: MethodAndPayload = .get
    }

    private static func response(_ status: Int, _ text: String = "") -> Output {
        .response(Response(status: .init(code: status), payload: Array(text.utf8)))
    }

    private static let refused = Output.noResponse(ConnectionError(.refused, during: .connect))

    /// Retries after one, two, three … seconds, so often.
    private static func retrying(_ times: Int) -> RetryPolicy {
        RetryPolicy { failure in
            failure.tries <= times && failure.isSafeToRepeat
                ? .retry(after: .seconds(failure.tries)) : .giveUp
        }
    }

    @Test func aModelComesBack() async throws {
        let client = APIClient(transport: StubTransport([Self.response(200, "hello")]))
        #expect(try await client.send(Greeting()) == "hello")
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
            (Self.refused, [.seconds(1), .seconds(2), .seconds(2)]),
            (Self.response(503), [.seconds(1), .seconds(2), .seconds(2)]),
            (throttled, [.seconds(7), .seconds(7), .seconds(7)]), (Self.response(500), []),
            (Self.response(404), []), (Self.response(200, "hello"), []),
            (.noResponse(ConnectionError(.certificateNotTrusted, during: .tls)), []),
        ]
        for (output, waits) in cases {
            let clock = ManualClock(jumps: true)
            let client = APIClient(
                transport: StubTransport { _, _ in output },
                retries: .transient(tries: 4, waits: [.seconds(1), .seconds(2)]), clock: clock)
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

    private struct Layer: Interceptor {
        let name: String
        let log: Log

        func outgoing(_ request: Request, in context: CallContext) async -> Request {
            log.add("\(name) out \(context.attempt) of \(context.endpoint)")
            var request = request
            request.queries.append(Query(name, context.attempt))
            return request
        }

        func incoming(
            _ output: Output, of request: Request, in context: CallContext
        ) async -> Output {
            log.add("\(name) in \(context.attempt) \(request.queries.count)")
            return output
        }
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
            interceptors: [Layer(name: "a", log: log), Layer(name: "b", log: log)],
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

    private struct Replacement: Interceptor {
        func incoming(
            _ output: Output, of request: Request, in context: CallContext
        ) async -> Output {
            output.connectionError == nil ? output : APIClientTests.response(200, "from the cache")
        }
    }

    @Test func anInterceptorCanTurnAnErrorIntoAResponse() async throws {
        let client = APIClient(
            transport: StubTransport([Self.refused]), interceptors: [Replacement()])
        #expect(try await client.send(Greeting()) == "from the cache")
    }

    private struct Impossible: Endpoint {
        typealias Model = String
        var baseURL: BaseURL = "https://shop.example"
        var code = "1"
        var path: Path { "/items/\(code)" }
        var methodAndPayload: MethodAndPayload {
            get throws(RequestError) { .post(try .json([Double.infinity])) }
        }
    }

    @Test(arguments: [
        (
            Impossible(baseURL: "shop.example"),
            #"APIClientTests.Impossible: "shop.example" is no address: expected http:// or "#
                + "https:// in front"
        ),
        (
            Impossible(code: ".."),
            #"APIClientTests.Impossible: "/items/.." is no address: expected no segment '.' or "#
                + "'..', which servers resolve"
        ),
        (
            Impossible(),
            "APIClientTests.Impossible: the request's content cannot be written: JSON has no inf "
                + "at /0"
        ),
    ])
    private func aRequestThatCannotBeMadeIsNotSent(
        endpoint: Impossible, message: String
    ) async throws {
        let transport = StubTransport([])
        let client = APIClient(
            transport: transport, retries: RetryPolicy { _ in .retry(after: .zero) })
        let error = try await failure(of: endpoint, by: client)
        #expect(error.description == message)
        #expect(error.request == nil && transport.requests.isEmpty)
    }

    @Test func aResponseOfAnyStatusCanBeTakenAsItIs() async throws {
        let request = Request(try Address("https://shop.example"))
        let endpoint = AnyResponse(to: request)
        for status in [100, 204, 302, 404, 599] {
            let client = APIClient(transport: StubTransport([Self.response(status, "x")]))
            #expect(try await client.send(endpoint).status.code == status)
            let again = APIClient(transport: StubTransport([Self.response(status, "x")]))
            #expect(await again.output(for: request).response?.text == "x")
        }
    }

    @Test func anEndpointMayCallASuccessAFailure() async throws {
        struct Stock: Endpoint {
            let baseURL: BaseURL = "https://shop.example"

            func model(from response: Response) throws(TransformError) -> Int {
                guard response.text != "0" else {
                    throw .rejected("the service has no data today")
                }
                return response.payload.count
            }
        }
        let client = APIClient(transport: StubTransport([Self.response(200, "0")]))
        let error = try await failure(of: Stock(), by: client)
        #expect(
            error.description
                == "APIClientTests.Stock: the service has no data today; the request was GET https://shop.example/"
        )
        #expect(error.response?.text == "0")
    }

    private struct Ping: Endpoint {
        typealias Model = Void
        let baseURL: BaseURL = "https://shop.example"
    }

    @Test func nothingButSuccessCanBeWanted() async throws {
        try await APIClient(transport: StubTransport([Self.response(204)])).send(Ping())
        let client = APIClient(transport: StubTransport([Self.response(500)]))
        let error = try await failure(of: Ping(), by: client)
        #expect(error.endpoint == "APIClientTests.Ping")
    }
}
