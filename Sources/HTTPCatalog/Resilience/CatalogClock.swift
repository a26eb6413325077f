import WebAPI

struct CatalogClock: Sendable {
    /// A closure that returns the time since this clock was created; the time never decreases.
    let now: @Sendable () -> MonotonicTime
    let sleep: @Sendable (MonotonicTime) async throws -> Void
    /// The current date, to compare with dates from other machines and from files; it may jump.
    let date: @Sendable () -> HTTPDate

    init<C: Clock<Duration>>(_ clock: C, date: @escaping @Sendable () -> HTTPDate) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        self.date = date
    }
}

/// A point in time, as the time since a ``CatalogClock`` was created.
typealias MonotonicTime = Duration
