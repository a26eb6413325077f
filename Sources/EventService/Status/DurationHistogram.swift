/// How many durations were how long, in buckets from 5 ms to 10 s.
struct DurationHistogram: Equatable, Sendable {
    /// The upper bounds of the buckets in microseconds, and as Prometheus writes them in seconds.
    static let bounds: [(microseconds: Int64, text: String)] = [
        (5_000, "0.005"), (10_000, "0.01"), (25_000, "0.025"), (50_000, "0.05"), (100_000, "0.1"),
        (250_000, "0.25"), (500_000, "0.5"), (1_000_000, "1"), (2_500_000, "2.5"),
        (5_000_000, "5"), (10_000_000, "10"),
    ]

    /// How many durations fell into each bucket and not into the one before; the last is without bound.
    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)
    /// All durations together, in microseconds.
    private(set) var sum: Int64 = 0

    /// How many durations there were.
    var count: Int { counts.reduce(0, +) }

    /// Takes a duration.
    ///
    /// - Parameter microseconds: How long it was; less than nothing is nothing.
    mutating func note(microseconds: Int64) {
        let microseconds = max(0, microseconds)
        let bucket = Self.bounds.firstIndex { microseconds <= $0.microseconds }
        counts[bucket ?? Self.bounds.count] += 1
        sum = sum.addingReportingOverflow(microseconds).partialValue
    }
}
