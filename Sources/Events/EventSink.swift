/// Where events go.
///
/// A sink that returns has taken the event. One that throws may be given it again; consumers know
/// what came twice by `source` and `id`.
package protocol EventSink: Sendable {
    /// Hands over one event, after all earlier ones.
    ///
    /// - Parameter event: The event.
    /// - Throws: What kept the sink from taking it.
    nonisolated(nonsending) func send(_ event: Event) async throws

    /// Hands over one event, after all earlier ones, as far as that takes no waiting.
    ///
    /// - Parameter event: The event.
    /// - Returns: What is left to be done.
    /// - Throws: What kept the sink from taking it.
    func sendAtOnce(_ event: Event) throws -> Sending

    /// Waits until everything that the sink has taken has left it.
    ///
    /// - Throws: What keeps it from leaving.
    nonisolated(nonsending) func flush() async throws

    /// Returns once the sink has room for more events, or they are not worth waiting for.
    func room() async

    /// Has the sink tell when nobody takes events any more, where it can before the next is sent.
    ///
    /// - Parameter body: Takes what sending an event would throw; called once at the most, on any thread.
    /// - Throws: What keeps the sink from watching.
    func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws
}

/// How far an event got without waiting.
package enum Sending: Equatable, Sendable {
    /// The sink has taken it.
    case done
    /// The sink has taken it, and ``EventSink/flush()`` waits until it has left.
    case unfinished
    /// The sink has not taken it: ``EventSink/send(_:)`` does.
    case notTaken
}

extension EventSink {
    /// Nothing: it takes waiting.
    package func sendAtOnce(_ event: Event) throws -> Sending { .notTaken }

    /// Nothing: what was taken has left.
    nonisolated(nonsending) package func flush() async throws {}

    /// Nothing: there is room.
    package func room() async {}

    /// Nothing: that shows where the next event is sent.
    package func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws {}
}
