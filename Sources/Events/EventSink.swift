/// A destination for events.
///
/// If a sink throws, the caller can send the event again; consumers detect duplicates by `source` and `id`.
package protocol EventSink: Sendable {
    /// Accepts one event, after all earlier ones; the daemon's sinks must not block.
    func send(_ event: Event) throws

    /// Waits until the sink has room for more events, or until waiting is pointless.
    func room() async

    /// Calls `body` when the receiver of the events has gone, if the sink can detect that before the next event.
    func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws
}

/// By default, a sink always has room and a receiver.
extension EventSink {
    package func room() async {}

    package func whenAbandoned(_ body: @escaping @Sendable (any Error) -> Void) throws {}
}
