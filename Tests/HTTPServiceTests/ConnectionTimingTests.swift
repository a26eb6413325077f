import Testing

@testable import HTTPService

/// When a connection is closed because nothing moves; a clock that stands still until it is told.
@Suite struct ConnectionTimingTests {
    private static let limits = ConnectionLimits(
        request: .seconds(5), writing: .seconds(10), idle: .seconds(90))

    private let start = ContinuousClock.now
    private var timing: ConnectionTiming<ContinuousClock.Instant>

    init() {
        timing = ConnectionTiming(limits: Self.limits, at: start)
    }

    private func at(_ seconds: Double) -> ContinuousClock.Instant {
        start.advanced(by: .milliseconds(Int(seconds * 1000)))
    }

    /// The verdicts at times, until it is closed.
    private mutating func verdicts(
        _ times: [(seconds: Double, pending: Int)]
    ) -> [ConnectionTiming<ContinuousClock.Instant>.Verdict] {
        times.map { timing.verdict(at: at($0.seconds), pending: $0.pending) }
    }

    @Test mutating func theFirstRequestHasFiveSeconds() {
        #expect(verdicts([(0, 0), (4.9, 0)]) == [.look(at: at(5)), .look(at: at(5))])
        #expect(verdicts([(5, 0)]) == [.close])
    }

    @Test mutating func aConnectionWithTheTokenMayRest() {
        timing.requestBegan(isKnown: true, at: at(1))
        timing.requestEnded()
        #expect(!timing.isAtRest)
        #expect(timing.answered(at: at(2)) == at(3))
        #expect(timing.isAtRest)
        #expect(verdicts([(3, 0), (91.9, 0)]) == [.look(at: at(92)), .look(at: at(92))])
        #expect(verdicts([(92, 0)]) == [.close])
    }

    @Test mutating func oneWithoutItHasFiveSecondsForEachRequest() {
        timing.requestBegan(isKnown: false, at: at(4))
        timing.requestEnded()
        _ = timing.answered(at: at(4))
        #expect(verdicts([(5, 0), (9, 0)]) == [.look(at: at(9)), .close])
    }

    @Test mutating func theContentOfARequestHasFiveSeconds() {
        timing.requestBegan(isKnown: true, at: at(4))
        #expect(verdicts([(5, 0), (9, 0)]) == [.look(at: at(9)), .close])
    }

    @Test mutating func whileTheCatalogIsReadTheClientOwesNothing() {
        timing.requestBegan(isKnown: false, at: at(1))
        timing.requestEnded()
        #expect(verdicts([(50, 0)]) == [.look(at: at(51))])
    }

    @Test mutating func whatIsAskedBehindTheLastAnswerIsNotWaitedFor() {
        for _ in 0..<3 {
            timing.requestBegan(isKnown: true, at: at(0))
            timing.requestEnded()
        }
        timing.lastAnswerBegan()
        #expect(!timing.isAtRest)
        _ = timing.answered(at: at(1))
        #expect(timing.isAtRest)
        #expect(
            verdicts([(2, 0), (10.9, 0), (11, 0)]) == [
                .look(at: at(11)), .look(at: at(11)), .close,
            ])
    }

    @Test mutating func aRequestThatComesBesideTheLastAnswerHasFiveSeconds() {
        timing.requestBegan(isKnown: true, at: at(0))
        timing.requestEnded()
        timing.requestBegan(isKnown: true, at: at(1))
        timing.lastAnswerBegan()
        _ = timing.answered(at: at(2))
        #expect(verdicts([(2, 0), (6, 0)]) == [.look(at: at(6)), .close])
    }

    @Test mutating func aStreamIsLookedAtOnlyWhileItsClientIsBehind() {
        timing.requestBegan(isKnown: true, at: at(0))
        timing.requestEnded()
        timing.streamBegan()
        #expect(verdicts([(1, 0), (3600, 0)]) == [.rest, .rest])
        #expect(
            verdicts([(4000, 1000), (4001, 500)]) == [.look(at: at(4001)), .look(at: at(4002))])
        #expect(verdicts([(4002, 0)]) == [.rest])
        #expect(verdicts([(5000, 1000), (5010, 1000)]) == [.look(at: at(5001)), .close])
    }

    @Test mutating func anAnswerThatIsNotTakenEndsIt() {
        timing.requestBegan(isKnown: true, at: at(0))
        timing.requestEnded()
        _ = timing.answered(at: at(0))
        #expect(verdicts([(1, 1000), (2, 1000)]) == [.look(at: at(2)), .look(at: at(3))])
        // More that is written is nothing that is taken.
        #expect(verdicts([(10.5, 2000), (11, 2000)]) == [.look(at: at(11)), .close])
    }

    @Test mutating func oneThatIsTakenSlowlyGoesOn() {
        timing.requestBegan(isKnown: true, at: at(0))
        timing.requestEnded()
        _ = timing.answered(at: at(0))
        for step in 1...30 {
            #expect(verdicts([(Double(step) * 9, 1000 - step)]) != [.close])
        }
        // From when the last of it was taken, it has time for its next request.
        #expect(verdicts([(300, 0)]) == [.look(at: at(390))])
    }
}
