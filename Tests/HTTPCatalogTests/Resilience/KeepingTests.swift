import Catalog
import KeywedgeTestKit
import Synchronization
import TestWaiting
import Testing
import WebAPI

@testable import HTTPCatalog

@Suite struct KeepingTests {
    @Test func aStaleAnswerIsGivenAtOnceAndAskedForAgain() async throws {
        let clock = ManualClock()
        let count = Counter()
        let transport = StubTransport { request, _ in
            Shop.product(request.code, price: count.next() == 1 ? "1.00" : "2.00")
        }
        let catalog = try Shop.catalog(transport, clock: clock)
        _ = await catalog.lookup("a")
        clock.advance(by: .seconds(301))
        let stale = await catalog.lookup("a")
        #expect(stale.origin == .stale(age: .seconds(301)))
        #expect(stale.price == "1.00 EUR")
        try await waitUntil("the end of all requests") { !catalog.isAsking }
        let fresh = await catalog.lookup("a")
        #expect(fresh.origin == .cache(age: .zero))
        #expect(fresh.price == "2.00 EUR")
        #expect(transport.requests.count == 2)
    }

    @Test func aStaleAnswerStandsInForAnErrorAndSaysWhy() async throws {
        let clock = ManualClock()
        let transport = StubTransport([
            Shop.product("a"), Shop.status(500), Shop.status(500), Shop.status(403),
        ])
        let catalog = try Shop.catalog(transport, clock: clock, chance: 0)
        _ = await catalog.lookup("a")
        clock.advance(by: .seconds(1000))
        let stale = await catalog.lookup("a")
        #expect(stale.origin == .stale(age: .seconds(1000)))
        #expect(stale.attempts == 2)
        #expect(
            stale.originalFailure
                == LookupFailure(.serverError, "The catalog shop answered with status 500."))
        #expect(
            await catalog.lookup("a").failure
                == LookupFailure(.unauthorized, "The catalog shop answered with status 403."))
    }

    @Test func anAnswerWithATagIsAskedForByItsTag() async throws {
        let clock = ManualClock()
        let transport = StubTransport { request, _ in
            request.headers[.ifNoneMatch] == "\"v1\""
                ? Shop.status(304, headers: [.cacheControl: "max-age=9"])
                : Shop.product("a", headers: [.eTag: "\"v1\"", .cacheControl: "max-age=5"])
        }
        let catalog = try Shop.catalog(transport, clock: clock)
        let first = await catalog.lookup("a")
        clock.advance(by: .seconds(2000))
        let second = await catalog.lookup("a")
        #expect(second.outcome == first.outcome)
        #expect(second.origin == .network)
        clock.advance(by: .seconds(8))
        #expect(await catalog.lookup("a").origin == .cache(age: .seconds(8)))
        #expect(transport.requests.count == 2)
    }

    @Test func aProductThatIsGoneIsForgotten() async throws {
        let clock = ManualClock(jumps: true)
        let transport = StubTransport([Shop.product("a"), Shop.status(404), Shop.status(500)])
        let catalog = try Shop.catalog(transport, clock: clock)
        _ = await catalog.lookup("a")
        clock.advance(by: .seconds(1000))
        #expect(await catalog.lookup("a").outcome == .notFound)
        clock.advance(by: .seconds(61))
        guard case .failed = await catalog.lookup("a").outcome else {
            Issue.record("a product that is gone came back")
            return
        }
    }

    /// The cached price is asked for each time, even if a confirmation has no `Cache-Control`.
    @Test(arguments: ["no-store", "no-cache"])
    func whatIsNotToBeUsedIsAskedEachTime(header: String) async throws {
        let transport = StubTransport { request, _ in
            request.headers[.ifNoneMatch] == "\"v1\""
                ? Shop.status(304)
                : Shop.product("a", headers: [.eTag: "\"v1\"", .cacheControl: header])
        }
        let catalog = try Shop.catalog(transport)
        for _ in 0..<4 { #expect(await catalog.lookup("a").origin == .network) }
        #expect(transport.requests.count == 4)
    }

    /// If a code has several forms, the answer that becomes stale first decides for all of them.
    @Test func allFormsOfACodeMustBeKnownToBeMissing() async throws {
        let transport = StubTransport { request, _ in
            Shop.status(
                404,
                headers: request.code == "4006381333931" ? [:] : [.cacheControl: "no-cache"])
        }
        let catalog = try Shop.catalog(transport, codes: CodeRules(forms: [.gtin14, .gtin13]))
        for _ in 0..<2 { _ = await catalog.lookup("4006381333931") }
        #expect(transport.requests.count == 4)
    }
}

/// A wall clock that a test sets.
final class WallTime: Sendable {
    private let state: Mutex<Int64>

    init(_ seconds: Int64) { state = Mutex(seconds) }

    var seconds: Int64 {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    var date: HTTPDate { HTTPDate(secondsSince1970: seconds) }
}

extension DeclaredCatalog {
    /// Whether a request is under way.
    var isAsking: Bool { requests.count > 0 }
}
