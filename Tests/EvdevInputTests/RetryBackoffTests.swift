import Testing

@testable import EvdevInput

@Suite struct RetryBackoffTests {
    @Test func pausesDoubleUpToFiveSeconds() {
        var backoff = RetryBackoff()
        var pauses: [Int64] = []
        for _ in 0..<8 {
            backoff.failed(at: 1_000)
            pauses.append((backoff.deadline ?? 0) - 1_000)
        }
        #expect(
            pauses == [
                100_000, 200_000, 400_000, 800_000, 1_600_000, 3_200_000, 5_000_000, 5_000_000,
            ])
    }

    @Test func anAttemptHasNoDeadlineButKeepsThePause() {
        var backoff = RetryBackoff()
        backoff.failed(at: 0)
        backoff.tries()
        #expect(backoff.deadline == nil)
        backoff.failed(at: 0)
        #expect(backoff.deadline == 200_000)
    }

    @Test func theEndOfTimeIsNotPassed() {
        var backoff = RetryBackoff()
        backoff.failed(at: .max)
        #expect(backoff.deadline == .max)
    }
}
