import Catalog
import Testing

@testable import HTTPCatalog

@Suite struct SourceGateTests {
    @Test func aThrottledCatalogIsLeftAloneForAsLongAsItSays() {
        var gate = SourceGate(ResilienceSettings(), now: .start)
        #expect(gate.admit(at: at(0)) == .go(isProbe: false))
        gate.record(.init(failure: .throttled, pause: .seconds(30)), wasProbe: false, at: at(0))
        #expect(gate.admit(at: at(29)) == .refuse(.throttled, retryAfter: .seconds(1)))
        #expect(gate.admit(at: at(30)) == .go(isProbe: false))
    }

    @Test func withoutSayingItIsLeftAloneForFiveSecondsAndAtMostForAnHour() {
        var gate = SourceGate(ResilienceSettings(), now: .start)
        gate.record(.init(failure: .throttled), wasProbe: false, at: at(0))
        #expect(gate.admit(at: at(4)) == .refuse(.throttled, retryAfter: .seconds(1)))
        gate.record(.init(failure: .throttled, pause: .seconds(86_400)), wasProbe: false, at: at(4))
        #expect(gate.admit(at: at(5)) == .refuse(.throttled, retryAfter: .seconds(3599)))
    }

    @Test func anAnswerThatUsedUpTheLastRequestHoldsTheNextOne() {
        var gate = SourceGate(ResilienceSettings(), now: .start)
        gate.record(.init(failure: nil, pause: .seconds(10)), wasProbe: false, at: at(0))
        #expect(gate.admit(at: at(1)) == .refuse(.throttled, retryAfter: .seconds(9)))
    }

    @Test func aQuotaIsABurstThatFillsUpEvenly() {
        var settings = ResilienceSettings()
        settings.quota = QuotaSettings(requests: 3, per: .seconds(30))
        var gate = SourceGate(settings, now: .start)
        for _ in 0..<3 { #expect(gate.admit(at: at(0)) == .go(isProbe: false)) }
        #expect(gate.admit(at: at(0)) == .refuse(.quotaUsedUp, retryAfter: .seconds(10)))
        #expect(gate.admit(at: at(10)) == .go(isProbe: false))
        #expect(gate.admit(at: at(15)) == .refuse(.quotaUsedUp, retryAfter: .seconds(5)))
        for _ in 0..<3 { #expect(gate.admit(at: at(1000)) == .go(isProbe: false)) }
        guard case .refuse(.quotaUsedUp, _) = gate.admit(at: at(1000)) else {
            Issue.record("a pause made room for more than a period's requests")
            return
        }
    }

    @Test func whatDependsOnTheCodeDoesNotKeepTheCatalogFromOthers() {
        var gate = SourceGate(ResilienceSettings(), now: .start)
        for code in LookupFailure.Code.allCases where !code.isOutage && code != .throttled {
            for _ in 0..<5 {
                gate.record(.init(failure: code), wasProbe: false, at: at(0))
            }
        }
        #expect(gate.admit(at: at(0)) == .go(isProbe: false))
    }

    @Test func anOutageSuspendsItAndOneProbeBringsItBack() {
        var gate = SourceGate(ResilienceSettings(), now: .start)
        for _ in 0..<5 { gate.record(.init(failure: .timedOut), wasProbe: false, at: at(0)) }
        #expect(gate.admit(at: at(1)) == .refuse(.suspended, retryAfter: .seconds(4)))
        #expect(!gate.allowsRetry)
        #expect(gate.admit(at: at(5)) == .go(isProbe: true))
        gate.record(.init(failure: .cancelled), wasProbe: true, at: at(5))
        #expect(gate.admit(at: at(5)) == .go(isProbe: true))
        gate.record(.init(failure: nil), wasProbe: true, at: at(5))
        #expect(gate.admit(at: at(5)) == .go(isProbe: false))
    }

    @Test func lookingAtItTakesNoProbe() {
        var gate = SourceGate(ResilienceSettings(), now: .start)
        #expect(gate.admission(at: at(0)) == .go(isProbe: false))
        for _ in 0..<5 { gate.record(.init(failure: .timedOut), wasProbe: false, at: at(0)) }
        #expect(gate.admission(at: at(1)) == .refuse(.suspended, retryAfter: .seconds(4)))
        for _ in 0..<3 { #expect(gate.admission(at: at(5)) == .go(isProbe: true)) }
        #expect(gate.admit(at: at(5)) == .go(isProbe: true))
    }

    private func at(_ seconds: Int) -> MonotonicTime { .start + .seconds(seconds) }
}
