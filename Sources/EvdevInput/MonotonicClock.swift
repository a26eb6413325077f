internal import Glibc

/// The clock of the events: `CLOCK_MONOTONIC`, in microseconds.
enum MonotonicClock {
    /// The number the kernel knows the clock by.
    static let number = CLOCK_MONOTONIC

    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(number, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

extension Int64 {
    /// This time and a while, or the end of time.
    func later(by microseconds: Int64) -> Int64 {
        let sum = addingReportingOverflow(microseconds)
        return sum.overflow ? .max : sum.partialValue
    }
}
