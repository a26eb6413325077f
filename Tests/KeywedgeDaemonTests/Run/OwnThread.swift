import Foundation

/// Runs what waits for others on a thread of its own: the pool has as few as two, and the others
/// need one.
func onItsOwnThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
}
