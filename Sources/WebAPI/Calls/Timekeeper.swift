/// A clock whose type is forgotten.
struct Timekeeper: Sendable {
    /// Starts to measure; what is returned tells how long ago that was.
    let start: @Sendable () -> @Sendable () -> Duration

    /// Waits; ends early, with an error, where the task is cancelled.
    let sleep: @Sendable (Duration) async throws -> Void

    init<C: Clock>(_ clock: C) where C.Duration == Duration {
        start = {
            let begin = clock.now
            return { begin.duration(to: clock.now) }
        }
        sleep = { try await clock.sleep(for: $0) }
    }
}
