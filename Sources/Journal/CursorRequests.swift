import Synchronization

/// Asks running sinks to resume at another cursor.
///
/// Only a sink knows which events are under way: if someone else moved its cursor, the sink would move
/// it back with the next acknowledgement.
package final class CursorRequests: Sendable {
    package struct Request: Sendable {
        /// The sink is to resume after this event.
        package let cursor: Cursor
        /// Gets the outcome, once.
        package let isDone: @Sendable (Result<Void, any Error>) -> Void
    }

    private struct Sink {
        var requests: [Request] = []
        let wakeup: AsyncStream<Void>.Continuation
    }

    private let sinks = Mutex<[String: Sink]>([:])

    /// Adds a sink that begins to run.
    ///
    /// - Returns: An element whenever there may be something to ``take(from:)``.
    package func join(_ name: String) -> AsyncStream<Void> {
        let (rings, wakeup) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        sinks.withLock { $0[name] = Sink(wakeup: wakeup) }
        return rings
    }

    /// Removes and returns the requests to a sink.
    package func take(from name: String) -> [Request] {
        sinks.withLock { sinks in
            defer { sinks[name]?.requests = [] }
            return sinks[name]?.requests ?? []
        }
    }

    /// Removes a sink that ends; the requests that it has not taken fail.
    package func leave(_ name: String) {
        let requests = sinks.withLock { $0.removeValue(forKey: name) }?.requests ?? []
        for request in requests { request.isDone(.failure(JournalError.closed)) }
    }

    /// Asks a sink to resume after an event, without waiting.
    ///
    /// `isDone` gets the outcome once the cursor is on the disk: ``JournalError/unknownEpoch(_:)`` or
    /// ``JournalError/closed`` if it fails.
    ///
    /// - Returns: Whether such a sink runs.
    package func move(
        _ name: String, to cursor: Cursor,
        isDone: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) -> Bool {
        sinks.withLock { sinks in
            sinks[name]?.requests.append(Request(cursor: cursor, isDone: isDone))
            sinks[name]?.wakeup.yield()
            return sinks[name] != nil
        }
    }
}
