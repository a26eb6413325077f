import Catalog
import Testing

@testable import HTTPCatalog

@Suite struct SourceGateTests {
    /// How a request ended, and the seconds during which no other is admitted.
    @Test(
        arguments: [
            (.init(failure: .throttled, pause: .seconds(30)), 30),
            (.init(failure: .throttled), 5),
            (.init(failure: .throttled, pause: .seconds(86_400)), 3600),
            // An answer that says that the quota is used up.
            (.init(failure: nil, pause: .seconds(10)), 10),
        ] as [(SourceGate.Ending, Int)])
    func aCatalogIsLeftAloneForAsLongAsItSays(ending: SourceGate.Ending, seconds: Int) {
        let gate = SourceGate(ResilienceSettings(), now: .zero)
        #expect(gate.admit(at: at(0)) == .ready)
        gate.record(ending, wasProbe: false, at: at(0))
        #expect(gate.admit(at: at(1)) == .refusing(.throttled, for: .seconds(seconds - 1)))
        #expect(!gate.admitsRetry(at: at(1)))
        #expect(gate.admitsRetry(at: at(seconds)))
        #expect(gate.admit(at: at(seconds - 1)) == .refusing(.throttled, for: .seconds(1)))
        #expect(gate.admit(at: at(seconds)) == .ready)
    }

    @Test func aQuotaIsABurstThatFillsUpEvenly() {
        var settings = ResilienceSettings()
        settings.quota = QuotaSettings(requests: 3, per: .seconds(30))
        let gate = SourceGate(settings, now: .zero)
        for _ in 0..<3 { #expect(gate.admit(at: at(0)) == .ready) }
        #expect(gate.admit(at: at(0)) == .refusing(.quotaUsedUp, for: .seconds(10)))
        #expect(gate.admit(at: at(10)) == .ready)
        #expect(gate.admit(at: at(15)) == .refusing(.quotaUsedUp, for: .seconds(5)))
        // After a pause of any length, only one period's requests are admitted.
        for _ in 0..<3 { #expect(gate.admit(at: at(1000)) == .ready) }
        #expect(gate.admit(at: at(1000)) != .ready)
    }

    @Test func whatDependsOnTheCodeDoesNotKeepTheCatalogFromOthers() {
        let gate = SourceGate(ResilienceSettings(), now: .zero)
        for code in LookupFailure.Code.allCases where !code.isOutage && code != .throttled {
            for _ in 0..<5 { gate.record(.init(failure: code), wasProbe: false, at: at(0)) }
        }
        #expect(gate.admit(at: at(0)) == .ready)
    }

    @Test func anOutageSuspendsItAndOneProbeBringsItBack() {
        let gate = SourceGate(ResilienceSettings(), now: .zero)
        for _ in 0..<5 { gate.record(.init(failure: .timedOut), wasProbe: false, at: at(0)) }
        #expect(gate.admit(at: at(1)) == .refusing(.suspended, for: .seconds(4)))
        // Neither reading the state nor asking for a retry uses up the probe.
        #expect(gate.current(at: at(5)) == .probing)
        #expect(!gate.admitsRetry(at: at(5)))
        #expect(gate.admit(at: at(5)) == .probing)
        gate.record(.init(failure: .cancelled), wasProbe: true, at: at(5))
        #expect(gate.admit(at: at(5)) == .probing)
        gate.record(.init(failure: nil), wasProbe: true, at: at(5))
        #expect(gate.admit(at: at(5)) == .ready)
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

    private func at(_ seconds: Int) -> MonotonicTime { .seconds(seconds) }
}
