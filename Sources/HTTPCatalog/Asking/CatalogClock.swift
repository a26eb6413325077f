import WebAPI

/// The clocks a catalog goes by, with their types forgotten.
struct CatalogClock: Sendable {
    /// The time now, on a clock that never goes back.
    let now: @Sendable () -> MonotonicTime
    /// Waits until a moment; ends early, with an error, where the task is cancelled.
    let sleep: @Sendable (MonotonicTime) async throws -> Void
    /// The date now, to compare with dates that others write.
    let date: @Sendable () -> HTTPDate

    init<C: Clock<Duration>>(_ clock: C, date: @escaping @Sendable () -> HTTPDate) {
        let start = clock.now
        now = { MonotonicTime(sinceStart: start.duration(to: clock.now)) }
        sleep = { moment in
            try await clock.sleep(until: start.advanced(by: moment.sinceStart), tolerance: nil)
        }
        self.date = date
    }
}
