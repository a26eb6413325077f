import WebAPI

/// A catalog's clock, with its type erased.
struct CatalogClock: Sendable {
    /// Returns the current time, which never goes back.
    let now: @Sendable () -> MonotonicTime
    /// Waits until a time; throws early if the task is cancelled.
    let sleep: @Sendable (MonotonicTime) async throws -> Void
    /// Returns the current date, which may jump; compared with dates from other machines and files.
    let date: @Sendable () -> HTTPDate

    init<C: Clock<Duration>>(_ clock: C, date: @escaping @Sendable () -> HTTPDate) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        self.date = date
    }
}

/// The time since a clock's start; this module's rules take it as an argument and never read a clock.
typealias MonotonicTime = Duration
