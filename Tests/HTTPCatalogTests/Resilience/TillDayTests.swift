import Barcodes
import Catalog
import KeywedgeTestKit
import TestTexts
import TestWaiting
import Testing
import WebAPI

@testable import HTTPCatalog

/// Two thousand scans at a till, one every three seconds, while the service is up, slow, down,
/// throttled and back.
@Suite struct TillDayTests {
    /// The results of the scans in a phase.
    struct Tally: Equatable {
        var network = 0
        var cache = 0
        var stale = 0
        var missing = 0
        var failed: [LookupFailure.Code: Int] = [:]
    }

    @Test func eachScanOfADayIsAnsweredRightAndInTime() async throws {
        let clock = ManualClock(jumps: true)
        let service = TillService(clock: clock)
        let catalog = try Shop.catalog(service.transport, clock: clock, chance: 0.5)
        let sources = CatalogSources([catalog], clock: clock)
        var random = SplitMix(seed: 42)
        var tallies = Array(repeating: Tally(), count: TillService.Phase.allCases.count)
        for scan in 0..<2000 {
            let due = Duration.seconds(3 * scan)
            if clock.now.sinceStart < due { clock.advance(by: due - clock.now.sinceStart) }
            let number = Int(random.next() % UInt64(TillService.productCount + 10))
            let start = clock.now.sinceStart
            let result = await sources.lookup(Barcode(text: "code-\(number)"))
            let took = clock.now.sinceStart - start
            check(result, of: number, at: start, took: took)
            count(result, in: &tallies[TillService.phase(at: start).rawValue])
            // Background requests end before the next customer's turn.
            try await waitUntil("the end of all requests") { !catalog.isAsking }
        }
        // While the service is slow, down or throttled, it gets about one request a minute: 20 to 25 in 20 minutes.
        #expect(service.requests == [263, 25, 20, 20, 256])
        #expect(
            tallies == [
                Tally(network: 150, cache: 134, stale: 86, missing: 30),
                Tally(cache: 23, stale: 345, failed: [.timedOut: 1, .suspended: 31]),
                Tally(stale: 371, failed: [.unreachable: 1, .suspended: 28]),
                Tally(stale: 360, failed: [.suspended: 2, .throttled: 38]),
                Tally(network: 148, cache: 133, stale: 97, missing: 21, failed: [.throttled: 1]),
            ])
    }

    /// Checks a result against the answers that are allowed in the current and earlier phases.
    private func check(_ result: LookupResult, of number: Int, at time: Duration, took: Duration) {
        let phase = TillService.phase(at: time)
        let isAnswering = phase == .up || phase == .back
        if result.attempts > 0 { #expect(took <= .milliseconds(1500)) }
        let price = result.match?.product.price?.amount
        switch (result.status, result.origin) {
        case (.found, .network):
            #expect(isAnswering && price == TillService.price(of: number, at: time))
        case (.found, .cache(let age)):
            #expect(age < .seconds(300))
            #expect(price == TillService.price(of: number, at: time - age))
        case (.found, .stale(let age)):
            #expect(age >= .seconds(300))
            #expect(price == TillService.price(of: number, at: time - age))
        case (.notFound, _):
            #expect(number >= TillService.productCount)
        case (.failed, nil), (.timedOut, nil):
            let code = result.failure?.failure.code
            #expect(!isAnswering || code == .suspended || code == .throttled)
        default:
            Issue.record("\(result)")
        }
    }

    private func count(_ result: LookupResult, in tally: inout Tally) {
        switch (result.status, result.origin) {
        case (.found, .network): tally.network += 1
        case (.found, .cache): tally.cache += 1
        case (.found, .stale): tally.stale += 1
        case (.notFound, _): tally.missing += 1
        default:
            if let code = result.failure?.failure.code { tally.failed[code, default: 0] += 1 }
        }
    }
}
