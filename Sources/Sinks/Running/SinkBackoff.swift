/// How long a sink waits before it gives the head of its journal again.
///
/// From one second on the time doubles up to five minutes; half of it is chance, so that a hundred
/// registers do not come back at once.
package struct SinkBackoff: Equatable, Sendable {
    /// The first wait, without chance.
    static let first = Duration.seconds(1)
    /// The longest wait, without what the other side asks for.
    static let longest = Duration.seconds(300)
    /// The longest wait that the other side can ask for.
    static let longestAsked = Duration.seconds(3600)

    private var failures = 0

    /// Begins with the first wait.
    package init() {}

    /// The next wait.
    ///
    /// - Parameters:
    ///   - asked: The least time the other side asks for.
    ///   - chance: A random number of at least 0 and below 1.
    /// - Returns: How long to wait.
    package mutating func next(asked: Duration?, chance: Double) -> Duration {
        let full = min(Self.first * (1 << min(failures, 20)), Self.longest)
        failures += 1
        return max(full / 2 + full / 2 * chance, min(asked ?? .zero, Self.longestAsked))
    }

    /// An event was taken: the next failure is the first again.
    package mutating func reset() { failures = 0 }
}
