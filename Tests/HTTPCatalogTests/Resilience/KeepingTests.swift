import Barcodes
import Catalog
import HTTPTypes
import KeywedgeTestKit
import Synchronization
import TestFolders
import TestTexts
import TestWaiting
import Testing
import WebAPI
import WireText

@testable import HTTPCatalog

@Suite struct KeepingTests {
    @Test func aStaleAnswerIsGivenAtOnceAndAskedForAgain() async throws {
        let clock = ManualClock()
        let count = Counter()
        let transport = StubTransport { request, _ in
            Shop.product(request.code, price: count.next() == 1 ? "1.00" : "2.00")
        }
        let catalog = DeclaredCatalog(
            try Shop.declaration(codes: CodeRules()), transport: transport, clock: clock)
        _ = await catalog.lookup("a")
        clock.advance(by: .seconds(301))
        let stale = await catalog.lookup("a")
        #expect(stale.origin == .stale(age: .seconds(301)))
        #expect(price(stale) == "1.00 EUR")
        try await waitUntil("the end of all requests") { !catalog.isAsking }
        let fresh = await catalog.lookup("a")
        #expect(fresh.origin == .cache(age: .zero))
        #expect(price(fresh) == "2.00 EUR")
        #expect(transport.requests.count == 2)
    }

    @Test func aStaleAnswerStandsInForAnErrorAndSaysWhy() async throws {
        let clock = ManualClock()
        let transport = StubTransport([
            Shop.product("a"), Shop.status(500), Shop.status(500), Shop.status(403),
        ])
        let catalog = DeclaredCatalog(
            try Shop.declaration(codes: CodeRules()), transport: transport, clock: clock,
            chance: { 0 })
        _ = await catalog.lookup("a")
        clock.advance(by: .seconds(1000))
        let stale = await catalog.lookup("a")
        #expect(stale.origin == .stale(age: .seconds(1000)))
        #expect(stale.attempts == 2)
        #expect(
            stale.originalFailure
                == LookupFailure(.serverError, "The catalog shop answered with status 500."))
        #expect(
            await catalog.lookup("a").outcome
                == .failed(
                    LookupFailure(.unauthorized, "The catalog shop answered with status 403.")))
    }

    @Test func anAnswerWithATagIsAskedForByItsTag() async throws {
        let clock = ManualClock()
        let transport = StubTransport { request, _ in
            request.headers[.ifNoneMatch] == "\"v1\""
                ? Shop.status(304, headers: [.cacheControl: "max-age=9"])
                : Shop.product("a", headers: [.eTag: "\"v1\"", .cacheControl: "max-age=5"])
        }
        let catalog = DeclaredCatalog(
            try Shop.declaration(codes: CodeRules()), transport: transport, clock: clock)
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
        let catalog = DeclaredCatalog(
            try Shop.declaration(codes: CodeRules()), transport: transport, clock: clock)
        _ = await catalog.lookup("a")
        clock.advance(by: .seconds(1000))
        #expect(await catalog.lookup("a").outcome == .notFound)
        clock.advance(by: .seconds(61))
        guard case .failed = await catalog.lookup("a").outcome else {
            Issue.record("a product that is gone came back")
            return
        }
    }

    @Test func whatIsNotToBeStoredIsAskedEachTime() async throws {
        let transport = StubTransport { request, _ in
            Shop.product(request.code, headers: [.cacheControl: "no-store"])
        }
        let catalog = DeclaredCatalog(
            try Shop.declaration(codes: CodeRules()), transport: transport, clock: ManualClock())
        for _ in 0..<3 { #expect(await catalog.lookup("a").origin == .network) }
        #expect(transport.requests.count == 3)
    }

    @Test func answersOutliveTheProcess() async throws {
        let scratch = try TemporaryFolder()
        let wall = WallTime(1_000_000)
        let first = try catalog(scratch, wall, [Shop.product("a", headers: [.eTag: "\"1\""])])
        let answer = await first.catalog.lookup("a")
        try await waitUntil("a kept answer") { first.store.count > 0 }

        wall.seconds += 100
        // The box's clock may have stood still while it was off: what was kept is asked for again.
        let second = try catalog(scratch, wall, [Shop.status(304)])
        let kept = await second.catalog.lookup("a")
        #expect(kept.outcome == answer.outcome)
        #expect(kept.origin == .network)
        try await waitUntil("the end of all requests") { !second.catalog.isAsking }

        wall.seconds += 1000
        let third = try catalog(scratch, wall, [Shop.refused, Shop.refused])
        let stale = await third.catalog.lookup("a")
        #expect(stale.outcome == answer.outcome)
        #expect(stale.origin == .stale(age: .seconds(1000)))

        // A clock that was set back says nothing about how old an answer is.
        wall.seconds -= 5000
        let fourth = try catalog(scratch, wall, [Shop.refused, Shop.refused])
        #expect(await fourth.catalog.lookup("a").origin == .stale(age: .seconds(300)))
    }

    @Test func answersOfAnotherDeclarationAreNotUsed() async throws {
        let scratch = try TemporaryFolder()
        let wall = WallTime(1_000_000)
        let first = try catalog(scratch, wall, [Shop.product("a")])
        _ = await first.catalog.lookup("a")
        try await waitUntil("a kept answer") { first.store.count > 0 }
        let second = try catalog(scratch, wall, [Shop.product("a")]) { declaration in
            declaration.product.price = nil
        }
        let answer = await second.catalog.lookup("a")
        #expect(answer.origin == .network)
        #expect(price(answer) == nil)
    }

    @Test func aStoreThatCannotBeWrittenCostsNoLookup() async throws {
        let scratch = try TemporaryFolder()
        let reasons = Sentences()
        let store = try AnswerCache(
            path: scratch.path("answers.sqlite"),
            report: { reasons.add($0) })
        #expect(
            try run("sqlite3", scratch.path("answers.sqlite"), "DROP TABLE answer").status == 0)
        let catalog = DeclaredCatalog(
            try Shop.declaration(codes: CodeRules()), transport: StubTransport([Shop.product("a")]),
            cache: store, clock: ManualClock())
        #expect(await catalog.lookup("a").origin == .network)
        try await waitUntil("the end of all requests") { !catalog.isAsking }
        #expect(
            reasons.lines.first
                == "The store of answers failed: SQLite error 1: no such table: answer - "
                + "while executing `SELECT answer, stored_at FROM answer WHERE catalog = ? AND "
                + "codes = ?`.")
    }

    @Test func theStoreKeepsTheNewestAnswers() async throws {
        let scratch = try TemporaryFolder()
        let wall = WallTime(0)
        let store = try AnswerCache(
            path: scratch.path("answers.sqlite"), capacity: 32, wallClock: { wall.seconds },
            report: { _ in })
        for number in 0..<100 {
            wall.seconds += 1
            store.save(
                CachedAnswer(
                    match: Match(key: .text, product: Product(id: "\(number)")), at: .start,
                    fresh: .seconds(1), staleWhileRevalidate: .zero, staleIfError: .seconds(9),
                    validator: nil), catalog: "shop", codes: ["\(number)"], at: .start)
        }
        #expect(store.count <= 32 + 3)
        #expect(store.answer(catalog: "shop", codes: ["99"], at: .start) != nil)
        #expect(store.answer(catalog: "shop", codes: ["0"], at: .start) == nil)
    }

    private func catalog(
        _ scratch: TemporaryFolder, _ wall: WallTime, _ outputs: [Output],
        change: (inout HTTPCatalogDeclaration) -> Void = { _ in }
    ) throws -> (catalog: DeclaredCatalog, store: AnswerCache) {
        let store = try AnswerCache(
            path: scratch.path("answers.sqlite"), wallClock: { wall.seconds },
            report: { Issue.record("\($0)") })
        let catalog = DeclaredCatalog(
            try Shop.declaration(codes: CodeRules(), change: change),
            transport: StubTransport(outputs), cache: store, clock: ManualClock(), chance: { 0 })
        return (catalog, store)
    }

    private func price(_ answer: LookupAnswer) -> String? {
        guard case .found(let match) = answer.outcome else { return nil }
        return match.product.price?.description
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
}

extension DeclaredCatalog {
    /// Whether a request is under way.
    var isAsking: Bool { state.withLock { $0.requests.count > 0 } }
}
