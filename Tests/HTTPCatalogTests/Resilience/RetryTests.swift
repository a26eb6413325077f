import Catalog
import Testing
import WebAPI
import WireText

@testable import HTTPCatalog

@Suite struct RetryTests {
    @Test func onlyWhatPassesIsSentAgain() {
        let retried = LookupFailure.Code.allCases.filter { code in
            action(after: code, retryAfter: .zero) != .giveUp
        }
        #expect(
            retried == [.timedOut, .unreachable, .brokenConnection, .throttled, .serverError])
    }

    @Test func theWaitIsAnythingUpToTheBackoff() {
        #expect(action(after: .serverError, chance: 0) == .retry(after: .zero))
        #expect(action(after: .serverError, chance: 0.5) == .retry(after: .milliseconds(50)))
        #expect(
            action(after: .serverError, sent: 2, of: 4, chance: 0.5)
                == .retry(after: .milliseconds(100)))
        #expect(
            action(after: .serverError, sent: 3, of: 4, chance: 0.5)
                == .retry(after: .milliseconds(200)))
    }

    @Test func thereAreNoMoreAttemptsThanConfigured() {
        #expect(action(after: .serverError, sent: 2) == .giveUp)
        #expect(action(after: .serverError, sent: 1, of: 1) == .giveUp)
    }

    @Test func whatMayHaveBeenDoneIsNotDoneTwice() {
        #expect(action(after: .timedOut, isSafe: false) == .giveUp)
    }

    @Test func thereMustBeTimeForAnAnswer() {
        #expect(
            action(after: .serverError, left: .milliseconds(100), chance: 0.5)
                == .retry(after: .milliseconds(50)))
        #expect(action(after: .serverError, left: .milliseconds(99), chance: 0.5) == .giveUp)
    }

    @Test func aWaitThatIsAskedForIsKeptOrNothingIsSent() {
        #expect(
            action(after: .throttled, retryAfter: .milliseconds(700), chance: 0.1)
                == .retry(after: .milliseconds(700)))
        #expect(action(after: .throttled, retryAfter: .seconds(2)) == .giveUp)
        #expect(action(after: .serverError, retryAfter: .seconds(2)) == .giveUp)
        #expect(action(after: .throttled) == .giveUp)
    }

    @Test func theBudgetShrinksWithFailuresAndGrowsWithSuccesses() {
        var budget = RetryBudget(tokens: 10)
        for _ in 0..<4 { budget.record(isSuccess: false) }
        #expect(budget.allowsRetry)
        budget.record(isSuccess: false)
        #expect(!budget.allowsRetry)
        budget.record(isSuccess: true)
        #expect(budget.allowsRetry)
        for _ in 0..<100 { budget.record(isSuccess: false) }
        for _ in 0..<50 { budget.record(isSuccess: true) }
        #expect(!budget.allowsRetry)
        budget.record(isSuccess: true)
        #expect(budget.allowsRetry)
    }

    private func action(
        after code: LookupFailure.Code, retryAfter: Duration? = nil, isSafe: Bool = true,
        sent: Int = 1, of attempts: Int = 2, left: Duration = .milliseconds(1000),
        chance: Double = 0.5
    ) -> RetryPolicy.Decision {
        var settings = ResilienceSettings()
        settings.attempts = attempts
        return RetryPolicy.decision(
            after: LookupFailure(code, "", retryAfter: retryAfter), isSafe: isSafe, tries: sent,
            left: left, settings, chance: chance)
    }
}
