import Catalog
import Testing

@testable import HTTPCatalog

@Suite struct SourceGateTests {
    @Test func aThrottledCatalogIsLeftAloneForAsLongAsItSays() {
        let gate = SourceGate(ResilienceSettings(), now: .zero)
        #expect(gate.admit(at: at(0)) == .ready)
        gate.record(.init(failure: .throttled, pause: .seconds(30)), wasProbe: false, at: at(0))
        #expect(gate.admit(at: at(29)) == .refusing(.throttled, for: .seconds(1)))
        #expect(gate.admit(at: at(30)) == .ready)
    }

    @Test func withoutSayingItIsLeftAloneForFiveSecondsAndAtMostForAnHour() {
        let gate = SourceGate(ResilienceSettings(), now: .zero)
        gate.record(.init(failure: .throttled), wasProbe: false, at: at(0))
        #expect(gate.admit(at: at(4)) == .refusing(.throttled, for: .seconds(1)))
        gate.record(.init(failure: .throttled, pause: .seconds(86_400)), wasProbe: false, at: at(4))
        #expect(gate.admit(at: at(5)) == .refusing(.throttled, for: .seconds(3599)))
    }

    @Test func anAnswerThatUsedUpTheLastRequestHoldsTheNextOne() {
        let gate = SourceGate(ResilienceSettings(), now: .zero)
        gate.record(.init(failure: nil, pause: .seconds(10)), wasProbe: false, at: at(0))
        #expect(gate.admit(at: at(1)) == .refusing(.throttled, for: .seconds(9)))
    }

    @Test func aQuotaIsABurstThatFillsUpEvenly() {
        var settings = ResilienceSettings()
        settings.quota = QuotaSettings(requests: 3, per: .seconds(30))
        let gate = SourceGate(settings, now: .zero)
        for _ in 0..<3 { #expect(gate.admit(at: at(0)) == .ready) }
        #expect(gate.admit(at: at(0)) == .refusing(.quotaUsedUp, for: .seconds(10)))
        #expect(gate.admit(at: at(10)) == .ready)
        #expect(gate.admit(at: at(15)) == .refusing(.quotaUsedUp, for: .seconds(5)))
        for _ in 0..<3 { #expect(gate.admit(at: at(1000)) == .ready) }
        guard case .refusing(.quotaUsedUp, _) = gate.admit(at: at(1000)) else {
            Issue.record("a pause made room for more than a period's requests")
            return
        }
    }

    @Test func whatDependsOnTheCodeDoesNotKeepTheCatalogFromOthers() {
        let gate = SourceGate(ResilienceSettings(), now: .zero)
        for code in LookupFailure.Code.allCases where !code.isOutage && code != .throttled {
            for _ in 0..<5 {
                gate.record(.init(failure: code), wasProbe: false, at: at(0))
            }
        }
        #expect(gate.admit(at: at(0)) == .ready)
    }

    @Test func anOutageSuspendsItAndOneProbeBringsItBack() {
        let gate = SourceGate(ResilienceSettings(), now: .zero)
        for _ in 0..<5 { gate.record(.init(failure: .timedOut), wasProbe: false, at: at(0)) }
        #expect(gate.admit(at: at(1)) == .refusing(.suspended, for: .seconds(4)))
        #expect(!gate.allowsRetry)
        #expect(gate.admit(at: at(5)) == .probing)
        gate.record(.init(failure: .cancelled), wasProbe: true, at: at(5))
        #expect(gate.admit(at: at(5)) == .probing)
        gate.record(.init(failure: nil), wasProbe: true, at: at(5))
        #expect(gate.admit(at: at(5)) == .ready)
    }

    @Test func lookingAtItTakesNoProbe() {
        let gate = SourceGate(ResilienceSettings(), now: .zero)
        #expect(gate.current(at: at(0)) == .ready)
        for _ in 0..<5 { gate.record(.init(failure: .timedOut), wasProbe: false, at: at(0)) }
        #expect(gate.current(at: at(1)) == .refusing(.suspended, for: .seconds(4)))
        for _ in 0..<3 { #expect(gate.current(at: at(5)) == .probing) }
        #expect(gate.admit(at: at(5)) == .probing)
    }

    @Test func anEmptyBudgetAllowsNoRetry() {
        var settings = ResilienceSettings()
        settings.breaker.minimumCalls = 1000
        let gate = SourceGate(settings, now: .zero)
        #expect(gate.admitsRetry(at: at(0)))
        for _ in 0..<5 { gate.record(.init(failure: .serverError), wasProbe: false, at: at(0)) }
        #expect(!gate.admitsRetry(at: at(0)))
        #expect(gate.admit(at: at(0)) == .ready)
    }

    @Test func aRetryIsNoProbeAndEndsNoPause() {
        let gate = SourceGate(ResilienceSettings(), now: .zero)
        gate.record(.init(failure: .throttled, pause: .seconds(1)), wasProbe: false, at: at(0))
        #expect(!gate.admitsRetry(at: at(0)))
        #expect(gate.admitsRetry(at: at(1)))
        #expect(gate.admit(at: at(0)) == .refusing(.throttled, for: .seconds(1)))
        let open = SourceGate(ResilienceSettings(), now: .zero)
        for _ in 0..<5 { open.record(.init(failure: .timedOut), wasProbe: false, at: at(0)) }
        #expect(!open.admitsRetry(at: at(5)))
        #expect(open.admit(at: at(5)) == .probing)
    }

    private func at(_ seconds: Int) -> MonotonicTime { .seconds(seconds) }
}
