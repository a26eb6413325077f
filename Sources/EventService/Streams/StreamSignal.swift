/// A wake-up signal for one event stream, which then sends new events or a comment, or ends.
final class StreamSignal: Sendable {
    enum Reason { case news, comment }

    private let reasons: AsyncStream<Reason>
    private let input: AsyncStream<Reason>.Continuation

    /// Creates a signal that queues at most one wake-up.
    init() { (reasons, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1)) }

    /// Wakes the stream, or makes its next wait return immediately.
    func set(_ reason: Reason = .news) { input.yield(reason) }

    /// Ends the stream, because its connection has closed.
    func end() { input.finish() }

    /// Waits until the stream is woken, and returns the reason; returns nil if the stream must end.
    func wait() async -> Reason? {
        for await reason in reasons { return reason }
        return nil
    }
}
