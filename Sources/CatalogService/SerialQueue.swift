import Dispatch
import HTTPService
import Synchronization

/// Does things that take milliseconds one at a time, on a thread of their own, so that what takes
/// microseconds need not wait for them.
final class SerialQueue: Sendable {
    private let queue: DispatchQueue
    private let waiting = Atomic(0)
    private let limit: Int

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - name: What debuggers call its thread.
    ///   - limit: How many may wait; more are turned away.
    init(_ name: String, limit: Int) {
        queue = DispatchQueue(label: name)
        self.limit = limit
    }

    /// Does something when it is its turn.
    ///
    /// - Parameter body: Does it.
    /// - Returns: What `body` returns.
    /// - Throws: ``ProblemDetails/busy``, or what `body` throws.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        defer { waiting.subtract(1, ordering: .relaxed) }
        guard waiting.add(1, ordering: .relaxed).newValue <= limit else {
            throw ProblemDetails.busy
        }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
