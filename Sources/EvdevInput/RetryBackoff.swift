/// When to try again what keeps failing: soon at first, then ever more rarely.
struct RetryBackoff: Hashable, Sendable {
    /// The pause after the first failure, in microseconds.
    static let first: Int64 = 100_000
    /// The longest pause, in microseconds.
    static let longest: Int64 = 5_000_000

    /// When to try again; nil where nothing failed.
    private(set) var deadline: Int64?
    private var pause: Int64 = 0

    /// Takes note of a failure.
    mutating func failed(at now: Int64) {
        pause = pause == 0 ? Self.first : min(pause * 2, Self.longest)
        deadline = now.later(by: pause)
    }

    /// Takes note that a new attempt is being made.
    mutating func tries() {
        deadline = nil
    }

    /// Takes note that it went well.
    mutating func succeeded() {
        self = RetryBackoff()
    }
}
