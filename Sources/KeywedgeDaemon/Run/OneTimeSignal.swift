/// A one-time notification; a single task can wait until it is given.
final class OneTimeSignal: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    /// Gives the signal, so that ``wait()`` returns; later calls do nothing.
    func give() { continuation.finish() }

    /// Waits until ``give()`` is called or the task is cancelled.
    func wait() async { for await _ in stream {} }
}
