/// A reading of a clock that never goes back: how long it is since some moment in the past.
///
/// The rules of this folder take moments and never ask for the time.
struct MonotonicTime: Hashable, Comparable, Sendable {
    /// How long it is since the clock's start.
    let sinceStart: Duration

    /// The clock's start.
    static let start = MonotonicTime(sinceStart: .zero)

    static func < (left: Self, right: Self) -> Bool { left.sinceStart < right.sinceStart }

    static func + (left: Self, right: Duration) -> Self {
        MonotonicTime(sinceStart: left.sinceStart + right)
    }

    static func - (left: Self, right: Self) -> Duration { left.sinceStart - right.sinceStart }
}
