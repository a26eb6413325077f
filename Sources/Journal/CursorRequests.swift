import Synchronization

/// Asks sinks that run to go on elsewhere: only they know what is on its way, and would move their
/// cursors over it.
package final class CursorRequests: Sendable {
    /// Where a sink is to go on.
    package struct Request: Sendable {
        /// Behind which event.
        package let cursor: Cursor
        /// Is told what came of it, once.
        package let isDone: @Sendable (Result<Void, any Error>) -> Void
    }

    private struct Sink {
        var requests: [Request] = []
        let wakeup: AsyncStream<Void>.Continuation
    }

    private let sinks = Mutex<[String: Sink]>([:])

    /// A sink begins to run.
    ///
    /// - Parameter name: Its name.
    /// - Returns: An element whenever there may be something to ``take(from:)``.
    package func join(_ name: String) -> AsyncStream<Void> {
        let (rings, wakeup) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        sinks.withLock { $0[name] = Sink(wakeup: wakeup) }
        return rings
    }

    /// What a sink is asked and was not given yet.
    package func take(from name: String) -> [Request] {
        sinks.withLock { sinks in
            defer { sinks[name]?.requests = [] }
            return sinks[name]?.requests ?? []
        }
    }

    /// A sink ends: what it is asked and was not given yet is told that nothing comes of it.
    package func leave(_ name: String) {
        let requests = sinks.withLock { $0.removeValue(forKey: name) }?.requests ?? []
        for request in requests { request.isDone(.failure(JournalError.closed)) }
    }

    /// Asks a sink to go on elsewhere; its cursor is on the disk when this returns.
    ///
    /// - Parameters:
    ///   - name: The sink's name.
    ///   - cursor: Behind which event it is to go on.
    /// - Returns: Whether such a sink runs.
    /// - Throws: ``JournalError/unknownEpoch(_:)``, ``JournalError/closed``.
    package func move(_ name: String, to cursor: Cursor) async throws -> Bool {
        var isRunning = true
        try await withCheckedThrowingContinuation { continuation in
            let request = Request(cursor: cursor) { continuation.resume(with: $0) }
            isRunning = sinks.withLock { sinks in
                sinks[name]?.requests.append(request)
                sinks[name]?.wakeup.yield()
                return sinks[name] != nil
            }
            if !isRunning { continuation.resume() }
        }
        return isRunning
    }
}
