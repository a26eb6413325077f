import Catalog
import Testing

@testable import HTTPCatalog

@Suite struct BreakerTests {
    /// When requests failed and succeeded, and for how long none is admitted after the last one, if at all.
    private static let closed: [(failed: [Int], succeeded: [Int], refused: Int?)] = [
        ([0, 1, 2, 3], [], nil), ([0, 1, 2, 3, 4], [], 5),
        // The breaker opens if half of the requests fail, and not if fewer fail.
        ([0, 3], [1, 2, 4, 5], nil), ([0, 3, 6, 7], [1, 2, 4, 5], 5),
        // Requests before the window do not count.
        ([0, 1, 2, 3, 31], [], nil),
    ]

    @Test(arguments: closed)
    func itOpensOnceEnoughRequestsOfTheWindowFailed(
        failed: [Int], succeeded: [Int], refused: Int?
    ) {
        var breaker = Breaker(BreakerSettings())
        let times = (failed + succeeded).sorted()
        for time in times {
            #expect(breaker.admit(at: .seconds(time)) == .ready)
            breaker.record(isFailure: failed.contains(time), wasProbe: false, at: .seconds(time))
        }
        #expect(breaker.admit(at: .seconds(times.last ?? 0)) == refused.map(refusal) ?? .ready)
    }

    @Test func oneProbeIsLetThroughAndClosesIt() {
        var breaker = opened()
        #expect(breaker.admit(at: .seconds(5)) == .probing)
        #expect(breaker.admit(at: .seconds(6)) == refusal(4))
        breaker.record(isFailure: false, wasProbe: true, at: .seconds(6))
        for second in 7..<11 {
            breaker.record(isFailure: true, wasProbe: false, at: .seconds(second))
        }
        #expect(breaker.admit(at: .seconds(11)) == .ready)
    }

    @Test func aProbeThatFailsDoublesTheTimeUpToAMinute() {
        var breaker = opened()
        var now = 5
        for wait in [10, 20, 40, 60, 60, 60] {
            #expect(breaker.admit(at: .seconds(now)) == .probing)
            breaker.record(isFailure: true, wasProbe: true, at: .seconds(now))
            #expect(breaker.admit(at: .seconds(now)) == refusal(wait))
            now += wait
        }
    }

    @Test func aProbeThatNeverComesBackHoldsNobodyUpForEver() {
        var breaker = opened()
        #expect(breaker.admit(at: .seconds(5)) == .probing)
        #expect(breaker.admit(at: .seconds(9)) == refusal(1))
        #expect(breaker.admit(at: .seconds(10)) == .probing)
        breaker.abandonProbe()
        #expect(breaker.admit(at: .seconds(10)) == .probing)
    }

    @Test func whatBeganBeforeItOpenedChangesNothing() {
        var breaker = opened()
        breaker.record(isFailure: false, wasProbe: false, at: .seconds(2))
        #expect(breaker.admit(at: .seconds(2)) == refusal(3))
        #expect(breaker.admit(at: .seconds(5)) == .probing)
        breaker.record(isFailure: false, wasProbe: false, at: .seconds(5))
        #expect(breaker.admit(at: .seconds(6)) == refusal(4))
    }

    /// Makes a breaker that opened at the start, for five seconds.
    private func opened() -> Breaker {
        var breaker = Breaker(BreakerSettings())
        for _ in 0..<5 { breaker.record(isFailure: true, wasProbe: false, at: .zero) }
        return breaker
    }

    private func refusal(_ seconds: Int) -> SourceState {
        .refusing(.suspended, for: .seconds(seconds))
    }
}
