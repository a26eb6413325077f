/// Where events go.
///
/// A sink that returns has taken the event. One that throws may be given it again; consumers know
/// what came twice by `source` and `id`.
public protocol EventSink: Sendable {
    /// Hands over one event, after all earlier ones.
    ///
    /// - Parameter event: The event.
    /// - Throws: What kept the sink from taking it.
    nonisolated(nonsending) func send(_ event: Event) async throws

    /// Has the sink tell when nobody takes events any more, where it can before the next is sent.
    ///
    /// - Parameter body: Takes what sending an event would throw; called once at the most, on any thread.
    /// - Throws: What keeps the sink from watching.
    func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws
}

extension EventSink {
    /// Nothing: that shows where the next event is sent.
    public func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws {}
}
