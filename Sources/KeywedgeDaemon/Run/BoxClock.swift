public import Events
import Glibc

/// The clocks of the box: tells the time of day of a monotonic timestamp.
public struct BoxClock: Sendable {
    /// Makes the clocks.
    public init() {}

    /// The time of day now.
    public var now: EventTime {
        EventTime(microsecondsSince1970: Self.microseconds(of: CLOCK_REALTIME))
    }

    /// The time of day at which the monotonic clock showed a value.
    ///
    /// Both clocks are read each time, since the time of day can be set while the daemon runs.
    ///
    /// - Parameter monotonicMicroseconds: What the monotonic clock showed.
    /// - Returns: The time of day; now, for a value in the future.
    public func time(at monotonicMicroseconds: Int64) -> EventTime {
        let age = Self.microseconds(of: CLOCK_MONOTONIC)
            .subtractingReportingOverflow(monotonicMicroseconds)
        return now.advanced(byMicroseconds: age.overflow ? 0 : -max(0, age.partialValue))
    }

    private static func microseconds(of clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
