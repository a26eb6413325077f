import Synchronization

/// Requests that are shared by callers with the same key.
final class SharedRequests<Key: Hashable & Sendable, Answer: Sendable>: Sendable {
    private typealias Waiter = AsyncStream<Answer>.Continuation

    private struct Request {
        let end: MonotonicTime
        var waiters: [Waiter] = []
    }

    private let clock: CatalogClock
    private let requests = Mutex<[Key: Request]>([:])

    init(clock: CatalogClock) { self.clock = clock }

    var count: Int { requests.withLock(\.count) }
    var waiterCount: Int { requests.withLock { $0.values.reduce(0) { $0 + $1.waiters.count } } }

    /// Waits for the answer to the request with this key; calls `run` unless that request is already under way.
    ///
    /// Returns nil if the deadline comes first or the task is cancelled. `run` must end by `end`, or by the deadline if
    /// `end` is nil.
    func answer(
        for key: Key, until deadline: MonotonicTime, ending end: MonotonicTime? = nil,
        _ run: @escaping @Sendable () async -> Answer
    ) async -> Answer? {
        guard !Task.isCancelled else { return nil }
        let (answers, waiter) = AsyncStream<Answer>.makeStream()
        if join(key, waiter, ending: end ?? deadline, run) > deadline {
            Task {
                try? await clock.sleep(deadline)
                waiter.finish()
            }
        }
        return await answers.first { _ in true }
    }

    /// Starts the request with this key in the background unless it is already under way; `run` must end by `end`.
    func start(
        _ key: Key, ending end: MonotonicTime, _ run: @escaping @Sendable () async -> Answer
    ) {
        _ = join(key, nil, ending: end, run)
    }

    /// Joins the request with this key, or starts it; returns the time by which it ends.
    private func join(
        _ key: Key, _ waiter: Waiter?, ending end: MonotonicTime,
        _ run: @escaping @Sendable () async -> Answer
    ) -> MonotonicTime {
        let (isNew, end) = requests.withLock { requests in
            let known = requests[key]
            var request = known ?? Request(end: end)
            if let waiter { request.waiters.append(waiter) }
            requests[key] = request
            return (known == nil, request.end)
        }
        if isNew { Task { finish(key, with: await run()) } }
        return end
    }

    private func finish(_ key: Key, with answer: Answer) {
        for waiter in requests.withLock({ $0.removeValue(forKey: key) })?.waiters ?? [] {
            waiter.yield(answer)
        }
    }
}
