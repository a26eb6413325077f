/// Which of a sink's brokers is tried next, and after how long.
///
/// The first one is left to chance, so that a fleet spreads over a cluster. A connection that fails or ends
/// moves on to the next; once each has failed, there is a wait that grows.
struct MQTTTurn: Equatable, Sendable {
    /// The longest wait before another broker is tried: chance decides, lest a whole fleet that has lost one
    /// broker comes to the next at once.
    static let longestStep = Duration.seconds(1)

    /// The broker whose turn it is.
    private(set) var index: Int
    private let count: Int
    private var failures = 0
    private var backoff = SinkBackoff()

    /// Begins.
    ///
    /// - Parameters:
    ///   - count: How many brokers there are, at least one.
    ///   - chance: A random number of at least 0 and below 1.
    init(count: Int, chance: Double) {
        self.count = count
        index = min(Int(Double(count) * chance), count - 1)
    }

    /// Moves on to the next broker.
    ///
    /// - Parameter chance: A random number of at least 0 and below 1.
    /// - Returns: How long to wait before it is tried.
    mutating func failed(chance: Double) -> Duration {
        index = (index + 1) % count
        failures += 1
        guard failures.isMultiple(of: count) else { return Self.longestStep * chance }
        return backoff.next(asked: nil, chance: chance)
    }

    /// A broker took something: the next failure is the first again.
    mutating func reset() {
        failures = 0
        backoff.reset()
    }
}
