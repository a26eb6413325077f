import Catalog
import Testing
import WebAPI

@testable import HTTPCatalog

@Suite struct RetryTests {
    @Test func onlyWhatPassesIsSentAgain() {
        let retried = LookupFailure.Code.allCases.filter { code in
            wait(after: code, retryAfter: 0) != nil
        }
        #expect(retried == [.timedOut, .unreachable, .brokenConnection, .throttled, .serverError])
        #expect(wait(after: .timedOut, isSafe: false) == nil)
    }

    /// The attempts made and allowed, the milliseconds left, the chance, and the wait.
    @Test(
        arguments: [
            // The chance scales the wait up to the backoff, which doubles.
            (1, 2, 1000, 0, 0), (1, 2, 1000, 0.5, 50), (2, 4, 1000, 0.5, 100),
            (3, 4, 1000, 0.5, 200),
            // No more attempts than configured.
            (2, 2, 1000, 0.5, nil), (1, 1, 1000, 0.5, nil),
            // After the wait, at least 50 ms must be left for an answer.
            (1, 2, 100, 0.5, 50), (1, 2, 99, 0.5, nil),
        ] as [(Int, Int, Int, Double, Int?)])
    func theWaitIsAnythingUpToTheBackoff(
        sent: Int, attempts: Int, left: Int, chance: Double, expected: Int?
    ) {
        let found = wait(after: .serverError, sent: sent, of: attempts, left: left, chance: chance)
        #expect(found == expected)
    }

    @Test func aWaitThatIsAskedForIsKeptOrNothingIsSent() {
        #expect(wait(after: .throttled, retryAfter: 700, chance: 0.1) == 700)
        #expect(wait(after: .throttled, retryAfter: 2000) == nil)
        #expect(wait(after: .serverError, retryAfter: 2000) == nil)
        #expect(wait(after: .throttled) == nil)
    }

    @Test(arguments: 1...5)
    func aRefreshInTheBackgroundHasTimeForAllAttempts(attempts: Int) throws {
        var settings = ResilienceSettings()
        settings.attempts = attempts
        var needed = settings.attemptTimeout * attempts
        for sent in (1...attempts).dropLast() {
            let longest = wait(
                after: .serverError, sent: sent, of: attempts, left: 60_000, chance: 1)
            needed += .milliseconds(try #require(longest))
        }
        #expect(settings.backgroundLimit >= needed)
    }

    @Test func theBudgetShrinksWithFailuresAndGrowsWithSuccesses() {
        var budget = RetryBudget(tokens: 10)
        for (failures, successes, allows) in [
            (4, 0, true), (1, 0, false), (0, 1, true), (100, 50, false), (0, 1, true),
        ] {
            for _ in 0..<failures { budget.record(isSuccess: false) }
            for _ in 0..<successes { budget.record(isSuccess: true) }
            #expect(budget.allowsRetry == allows)
        }
    }

    /// The wait before the next attempt in milliseconds; nil to give up.
    private func wait(
        after code: LookupFailure.Code, retryAfter: Int? = nil, isSafe: Bool = true,
        sent: Int = 1, of attempts: Int = 2, left: Int = 1000, chance: Double = 0.5
    ) -> Int? {
        var settings = ResilienceSettings()
        settings.attempts = attempts
        let failure = LookupFailure(code, "", retryAfter: retryAfter.map { .milliseconds($0) })
        let decision = RetryPolicy.decision(
            after: failure, isSafe: isSafe, tries: sent, left: .milliseconds(left), settings,
            chance: chance)
        guard case .retry(let wait) = decision else { return nil }
        return Int((wait / .milliseconds(1)).rounded())
    }
}
