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
}
