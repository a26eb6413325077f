/// The header fields in which a catalog tells how many more requests it takes, beside the standard
/// `Retry-After`.
package struct RateLimitFields: Hashable, Sendable {
    /// How a point in time is written.
    package enum TimeUnit: String, CaseIterable, Hashable, Sendable {
        /// Seconds from now.
        case seconds
        /// Milliseconds from now.
        case milliseconds
        /// Seconds since 1970.
        case epochSeconds = "epoch-seconds"
        /// Milliseconds since 1970.
        case epochMilliseconds = "epoch-milliseconds"
    }

    /// How many more requests are taken; nil where no field says so.
    package var remaining: String?
    /// When there will be more; nil where no field says so.
    package var reset: String?
    /// How `reset` is written.
    package var resetUnit: TimeUnit

    /// Makes a description of the fields.
    ///
    /// - Parameters:
    ///   - remaining: How many more requests are taken.
    ///   - reset: When there will be more.
    ///   - resetUnit: How `reset` is written.
    package init(
        remaining: String? = nil, reset: String? = nil, resetUnit: TimeUnit = .seconds
    ) {
        self.remaining = remaining
        self.reset = reset
        self.resetUnit = resetUnit
    }
}
