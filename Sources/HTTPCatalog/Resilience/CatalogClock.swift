import WebAPI

/// The clock a catalog goes by, with its type erased.
struct CatalogClock: Sendable {
    /// The time now; it never goes back.
    let now: @Sendable () -> MonotonicTime
    /// Waits until a moment; ends early, with an error, if the task is cancelled.
    let sleep: @Sendable (MonotonicTime) async throws -> Void
    /// The date now, which may jump, to compare with dates that others write and with files.
    let date: @Sendable () -> HTTPDate

    init<C: Clock<Duration>>(_ clock: C, date: @escaping @Sendable () -> HTTPDate) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        self.date = date
    }
}

/// How long a moment is after a clock's start; the rules of this module never ask for the time.
typealias MonotonicTime = Duration
