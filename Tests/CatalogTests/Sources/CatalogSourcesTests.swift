import Barcodes
import KeywedgeTestKit
import Synchronization
import TestFolders
import Testing
import WireText

@testable import Catalog

@Suite struct CatalogSourcesTests {
    @Test func theFirstSourceThatHasTheProductWins() async throws {
        let sources = CatalogSources([
            Stand("a", .notFound), Stand("b", .found("x")), Stand("c", .found("y")),
        ])
        let result = await sources.lookup(Barcode(text: "1"))
        #expect(result.catalog == "b")
        #expect(result.match?.product.id == "x")
        #expect(result.attempts == 2)
        #expect(result.failures.isEmpty)
    }

    @Test func aSourceThatFailedIsToldOfEvenWhereAnotherHasTheProduct() async throws {
        let sources = CatalogSources([Stand("a", .failed(.timedOut)), Stand("b", .found("x"))])
        let result = await sources.lookup(Barcode(text: "1"))
        #expect(result.status == .found)
        #expect(result.failure == nil)
        #expect(result.failures.map(\.catalog) == ["a"])
    }

    @Test func thatAProductIsUnknownIsSaidOnlyWhereEverySourceAnswered() async throws {
        let unknown = CatalogSources([Stand("a", .notFound), Stand("b", .notFound)])
        #expect(await unknown.lookup(Barcode(text: "1")) == LookupResult(.notFound, attempts: 2))
        for order in [
            [Stand("a", .notFound), Stand("b", .failed(.serverError))],
            [Stand("b", .failed(.serverError)), Stand("a", .notFound)],
        ] {
            let result = await CatalogSources(order).lookup(Barcode(text: "1"))
            #expect(result.status == .failed)
            #expect(result.failure?.catalog == "b")
        }
        let late = CatalogSources([Stand("a", .failed(.timedOut)), Stand("b", .notFound)])
        #expect(await late.lookup(Barcode(text: "1")).status == .timedOut)
        #expect(await CatalogSources([]).lookup(Barcode(text: "1")) == LookupResult(.skipped))
    }

    @Test func whatOneSourceTakesTheNextDoesNotHave() async throws {
        let clock = ManualClock(jumps: true)
        let limits = Limits()
        let sources = CatalogSources(
            [
                Slow(clock: clock, takes: .milliseconds(400), limits: limits),
                Slow(clock: clock, takes: .milliseconds(900), limits: limits),
                Slow(clock: clock, takes: .zero, limits: limits),
            ], clock: clock)
        _ = await sources.lookup(Barcode(text: "1"))
        #expect(
            limits.all == [.milliseconds(1500), .milliseconds(1100), .milliseconds(200)])
    }
}

/// A source that always gives the same answer, after one attempt.
private struct Stand: ProductSource {
    enum Answer {
        case found(String)
        case notFound
        case failed(LookupFailure.Code)
    }

    let name: String
    let answer: Answer

    init(_ name: String, _ answer: Answer) {
        self.name = name
        self.answer = answer
    }

    func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        switch answer {
        case .found(let id):
            LookupAnswer(
                .found(Match(key: .text, product: Product(id: id))), origin: .network, attempts: 1)
        case .notFound: LookupAnswer(.notFound, origin: .network, attempts: 1)
        case .failed(let code): LookupAnswer(.failed(LookupFailure(code, "Broken.")), attempts: 1)
        }
    }
}

/// The time limits that sources were given.
private final class Limits: Sendable {
    private let state = Mutex<[Duration]>([])
    var all: [Duration] { state.withLock { $0 } }
    func add(_ limit: Duration) { state.withLock { $0.append(limit) } }
}

/// A source that takes a fixed time and finds nothing.
private struct Slow: ProductSource {
    let name = "slow"
    let clock: ManualClock
    let takes: Duration
    let limits: Limits

    func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        limits.add(limit)
        try? await clock.sleep(for: takes)
        return LookupAnswer(.notFound)
    }
}
