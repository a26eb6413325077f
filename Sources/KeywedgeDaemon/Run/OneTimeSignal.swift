/// A signal that can be given once, to one waiting task.
final class OneTimeSignal: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// Gives the signal; later calls do nothing.
    func give() { continuation.finish() }

    /// Returns when the signal is given or the task is cancelled.
    func wait() async { for await _ in stream {} }
}
