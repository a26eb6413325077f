/// A destination for events.
///
/// If a sink throws, the caller can send the event again; consumers detect duplicates by `source` and `id`.
package protocol EventSink: Sendable {
    /// Accepts the next event; a sink of the daemon must do so without blocking.
    func send(_ event: Event) throws

    /// Waits until the sink has room for more events; returns early if its reader is stuck or gone.
    func room() async

    /// Calls `body` when the events' receiver has gone, if the sink can detect that before the next event.
    func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws
}

/// The defaults, for a sink that always has room and cannot detect that its receiver has gone.
extension EventSink {
    package func room() async {}

    package func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws {}
}
