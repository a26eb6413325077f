import Barcodes
import Catalog
import KeywedgeTestKit
import TestFolders
import TestWaiting
import Testing
import WebAPI

@testable import HTTPCatalog

/// Tests deadlines, credentials that change, and the wait until a rate limit is reset.
@Suite struct DeadlineTests {
    /// Makes a transport that takes a fixed time on the clock for each answer.
    private func transport(_ clock: ManualClock, takes time: Duration) -> StubTransport {
        StubTransport { request, limit in
            try? await clock.sleep(for: min(limit, time))
            return time < limit
                ? Shop.product(request.code)
                : .noResponse(ConnectionError(.timedOut(after: limit), during: .head))
        }
    }

    /// One source hangs and uses up the deadline; the other one, which is asked afterwards, works.
    @Test func aSourceIsNotSuspendedBecauseAnotherUsedUpTheDeadline() async throws {
        let clock = ManualClock(jumps: true)
        let hanging = try Shop.catalog(transport(clock, takes: .seconds(9)), clock: clock) {
            $0.name = "hanging"
            $0.resilience.attemptTimeout = .milliseconds(1350)
            $0.resilience.attempts = 1
            $0.resilience.breaker.minimumCalls = 1000
        }
        let second = try Shop.catalog(transport(clock, takes: .milliseconds(200)), clock: clock) {
            $0.resilience.attempts = 1
        }
        let sources = CatalogSources([hanging, second], clock: clock)
        for number in 0..<20 {
            #expect(await sources.lookup(Barcode(text: "\(number)")).match == nil)
        }
        #expect(second.currentState == .ready)
        #expect(await second.lookup("x").price == "3.49 EUR")
    }

    @Test(arguments: [800, 1500, 5000])
    func aSourceThatHangsIsSuspended(attemptTimeout: Int) async throws {
        let clock = ManualClock(jumps: true)
        let catalog = try Shop.catalog(transport(clock, takes: .seconds(9)), clock: clock) {
            $0.resilience.attemptTimeout = .milliseconds(attemptTimeout)
        }
        for number in 0..<6 { _ = await catalog.lookup("\(number)") }
        guard case .refusing(.suspended, _) = catalog.currentState else {
            Issue.record("\(catalog.currentState)")
            return
        }
    }

    private func oauth(_ transport: StubTransport, _ clock: ManualClock) throws -> DeclaredCatalog {
        let client = Authentication.OAuth2Client(
            tokenURL: "https://login.example/token", clientID: .plain("me"),
            clientSecret: .plain("sesame"))
        return try Shop.catalog(transport, clock: clock) {
            $0.authentication = .oauth2(client)
            $0.resilience.attemptTimeout = .patience
        }
    }

    @Test func aTokenIsNotWaitedForBeyondTheLookupsOwnDeadline() async throws {
        let clock = ManualClock()
        let gate = Gate()
        let transport = StubTransport { request, _ in
            guard request.url.path == "/token" else { return Shop.product(request.code) }
            await gate.wait()
            return Shop.json(#"{"access_token":"t"}"#)
        }
        let catalog = try oauth(transport, clock)
        let patient = Task { await catalog.lookup("a", within: .patience) }
        try await waitUntil("the request for a token") { transport.requests.count == 1 }
        let hasty = Task {
            await catalog.lookup(Barcode(text: "b"), within: .milliseconds(100))
        }
        await clock.waitForSleepers()
        clock.advance(by: .milliseconds(100))
        #expect(await hasty.value.failure?.code == .timedOut)
        gate.open()
        #expect(await patient.value.price == "3.49 EUR")
        #expect(transport.requests.count == 2)
    }

    /// Both requests carry the old token; when the second one is refused, the new token has already been read.
    @Test func twoLookupsUnderWaySucceedWhileATokenIsRotated() async throws {
        let scratch = try TemporaryFolder()
        let file = try scratch.write("old", to: "token")
        let (first, second) = (Gate(), Gate())
        let transport = StubTransport { request, _ in
            guard request.headers[.authorization] != "Bearer new" else {
                return Shop.product(request.code)
            }
            await (request.code == "a" ? first : second).wait()
            return Shop.status(401)
        }
        let catalog = try Shop.catalog(transport) {
            $0.authentication = .bearer(.file(path: file))
            $0.resilience.attemptTimeout = .patience
        }
        let lookups = ["a", "b"].map { code in
            Task { await catalog.lookup(code, within: .patience) }
        }
        try await waitUntil("two requests") { transport.requests.count == 2 }
        try scratch.write("new", to: "token")
        first.open()
        #expect(await lookups[0].value.price == "3.49 EUR")
        second.open()
        #expect(await lookups[1].value.price == "3.49 EUR")
    }

    /// An answer to one shop's token must not be confirmed with another shop's token.
    @Test func aConfirmationIsAskedForWithTheCredentialsOfTheAnswer() async throws {
        let scratch = try TemporaryFolder()
        let file = try scratch.write("shop-1", to: "token")
        let clock = ManualClock(jumps: true)
        let transport = StubTransport { request, _ in
            switch (request.headers[.authorization], request.headers[.ifNoneMatch]) {
            case ("Bearer shop-1", nil):
                Shop.product(request.code, price: "1.00", headers: [.eTag: "\"1\""])
            case ("Bearer shop-1", _): Shop.status(401)
            case (_, nil): Shop.status(503)
            default: Shop.status(304)
            }
        }
        let catalog = try Shop.catalog(transport, clock: clock) {
            $0.authentication = .bearer(.file(path: file))
        }
        #expect(await catalog.lookup("a").price == "1.00 EUR")
        try scratch.write("shop-2", to: "token")
        clock.advance(by: .seconds(2000))
        // The first shop's answer is neither confirmed nor used during the second shop's outage.
        #expect(await catalog.lookup("a").price == nil)
        #expect(await catalog.lookup("a").price == nil)
    }

    /// The box's clock is wrong, so the wait is counted from the date in the answer, if it has one.
    @Test(arguments: [
        ("epoch-seconds", "1800000030", "Fri, 15 Jan 2027 08:00:00 GMT", 30),
        ("epoch-milliseconds", "1800000029500", "Fri, 15 Jan 2027 08:00:00 GMT", 30),
        ("epoch-seconds", "1800000030", nil, 3600), ("seconds", "30", nil, 30),
    ])
    func aResetIsHeldAgainstTheCatalogsOwnDate(
        unit: String, reset: String, date: String?, wait: Int
    ) async throws {
        let clock = ManualClock()
        var headers: HTTPFields = [:]
        headers[HTTPField.Name("X-Left").unsafelyUnwrapped] = "0"
        headers[HTTPField.Name("X-Reset").unsafelyUnwrapped] = reset
        headers[.date] = date
        let transport = StubTransport { [headers] request, _ in
            Shop.product(request.code, headers: headers)
        }
        let declaration = try Shop.declaration {
            $0.rateLimit.remaining = "X-Left"
            $0.rateLimit.reset = "X-Reset"
            $0.rateLimit.resetUnit = RateLimitFields.TimeUnit(rawValue: unit) ?? .seconds
        }
        let catalog = DeclaredCatalog(
            declaration, transport: transport, clock: clock,
            date: { HTTPDate(secondsSince1970: 1_000_000_000) })
        _ = await catalog.lookup("a")
        #expect(catalog.currentState == .refusing(.throttled, for: .seconds(wait)))
    }
}
