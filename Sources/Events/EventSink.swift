/// A destination for events.
///
/// After an error, the caller may send the event again; consumers recognise duplicates by `source` and `id`.
package protocol EventSink: Sendable {
    /// Accepts the next event. Sinks that the daemon uses must not block in this method.
    func send(_ event: Event) throws

    /// Waits until the sink has room for more events; returns early if the sink's reader is stuck or gone.
    func room() async

    /// Calls `body` when no receiver is left, if the sink can detect that without sending an event.
    func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws
}

extension EventSink {
    package func room() async {}

    package func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws {}
}
