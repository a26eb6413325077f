/// A destination for events.
///
/// If a sink throws, the caller can send the event again; consumers detect duplicates by `source` and `id`.
package protocol EventSink: Sendable {
    /// Accepts the next event. In the daemon, this must not block.
    func send(_ event: Event) throws

    /// Waits until the sink has room for more events; returns early if its reader is stuck or gone.
    func room() async

    /// Calls `body` when the receiver of the events has gone, if the sink can detect this without sending an event.
    func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws
}

extension EventSink {
    package func room() async {}

    package func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws {}
}
