import Testing

@testable import HTTPCatalog

@Suite struct BreakerTests {
    @Test func itOpensOnceEnoughRequestsOfTheWindowFailed() {
        var breaker = Breaker(BreakerSettings())
        for second in 0..<4 {
            #expect(breaker.admit(at: at(second)) == .go)
            breaker.record(isFailure: true, wasProbe: false, at: at(second))
        }
        #expect(breaker.admit(at: at(4)) == .go)
        breaker.record(isFailure: true, wasProbe: false, at: at(4))
        #expect(breaker.admit(at: at(5)) == .refuse(.seconds(4)))
    }

    @Test func halfOfThemAreEnoughAndFewerAreNot() {
        var breaker = Breaker(BreakerSettings())
        for second in 0..<6 {
            breaker.record(isFailure: second.isMultiple(of: 3), wasProbe: false, at: at(second))
        }
        #expect(breaker.admit(at: at(6)) == .go)
        for second in 6..<8 { breaker.record(isFailure: true, wasProbe: false, at: at(second)) }
        #expect(breaker.admit(at: at(8)) == .refuse(.seconds(4)))
    }

    @Test func whatIsOlderThanTheWindowDoesNotCount() {
        var breaker = Breaker(BreakerSettings())
        for second in 0..<4 { breaker.record(isFailure: true, wasProbe: false, at: at(second)) }
        breaker.record(isFailure: true, wasProbe: false, at: at(31))
        #expect(breaker.admit(at: at(31)) == .go)
    }

    @Test func oneProbeIsLetThroughAndClosesIt() {
        var breaker = opened()
        #expect(breaker.admit(at: at(5)) == .probe)
        #expect(breaker.admit(at: at(6)) == .refuse(.seconds(4)))
        breaker.record(isFailure: false, wasProbe: true, at: at(6))
        #expect(breaker.admit(at: at(6)) == .go)
        for second in 7..<11 { breaker.record(isFailure: true, wasProbe: false, at: at(second)) }
        #expect(breaker.admit(at: at(11)) == .go)
    }

    @Test func aProbeThatFailsDoublesTheTimeUpToAMinute() {
        var breaker = opened()
        var now = 5
        var waits: [Int] = []
        for _ in 0..<6 {
            #expect(breaker.admit(at: at(now)) == .probe)
            breaker.record(isFailure: true, wasProbe: true, at: at(now))
            guard case .refuse(let wait) = breaker.admit(at: at(now)) else { break }
            waits.append(Int(wait.components.seconds))
            now += waits.last ?? 0
        }
        #expect(waits == [10, 20, 40, 60, 60, 60])
    }

    @Test func aProbeThatNeverComesBackHoldsNobodyUpForEver() {
        var breaker = opened()
        #expect(breaker.admit(at: at(5)) == .probe)
        #expect(breaker.admit(at: at(9)) == .refuse(.seconds(1)))
        #expect(breaker.admit(at: at(10)) == .probe)
    }

    @Test func anAbandonedProbeIsFollowedByAnother() {
        var breaker = opened()
        #expect(breaker.admit(at: at(5)) == .probe)
        breaker.abandonProbe()
        #expect(breaker.admit(at: at(5)) == .probe)
    }

    @Test func whatBeganBeforeItOpenedChangesNothing() {
        var breaker = opened()
        breaker.record(isFailure: false, wasProbe: false, at: at(2))
        #expect(breaker.admit(at: at(2)) == .refuse(.seconds(3)))
        #expect(breaker.admit(at: at(5)) == .probe)
        breaker.record(isFailure: false, wasProbe: false, at: at(5))
        #expect(breaker.admit(at: at(6)) == .refuse(.seconds(4)))
    }

    /// Open from the start on, for five seconds.
    private func opened() -> Breaker {
        var breaker = Breaker(BreakerSettings())
        for _ in 0..<5 { breaker.record(isFailure: true, wasProbe: false, at: at(0)) }
        return breaker
    }

    private func at(_ seconds: Int) -> MonotonicTime { .seconds(seconds) }
}
