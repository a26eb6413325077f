import Synchronization

/// Shares requests: all callers with the same key wait for the same task, each until its own deadline.
final class SharedRequests<Key: Hashable & Sendable, Answer: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Answer?, Never>

    private struct Request {
        let end: MonotonicTime
        var waiters: [Int: Waiter] = [:]
    }

    private struct State {
        var requests: [Key: Request] = [:]
        var waiterCount = 0
    }

    private let clock: CatalogClock
    private let state = Mutex(State())

    init(clock: CatalogClock) { self.clock = clock }

    var count: Int { state.withLock(\.requests.count) }
    var waiterCount: Int { state.withLock(\.waiterCount) }

    /// Waits for the answer for a key; calls `run` unless a request for the key is already under way.
    ///
    /// Returns nil if the deadline comes first or the task is cancelled. `run` must end by `end`, or by the deadline if
    /// `end` is nil.
    func answer(
        for key: Key, until deadline: MonotonicTime, ending end: MonotonicTime? = nil,
        _ run: @escaping @Sendable () async -> Answer
    ) async -> Answer? {
        let number = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let end = join(key, (number, waiter), ending: end ?? deadline, run)
                guard let end, end > deadline else { return }
                Task { if (try? await clock.sleep(deadline)) != nil { leave(key, number) } }
            }
        } onCancel: {
            leave(key, number)
        }
    }

    /// Starts a request in the background, unless one for the key is under way; `run` must end by `end`.
    func start(
        _ key: Key, ending end: MonotonicTime, _ run: @escaping @Sendable () async -> Answer
    ) {
        _ = join(key, nil, ending: end, run)
    }

    /// Joins the request for a key, or starts one; returns the request's time limit.
    ///
    /// If the waiter's task is already cancelled, resumes the waiter with nil and returns nil.
    private func join(
        _ key: Key, _ waiter: (number: Int, Waiter)?, ending end: MonotonicTime,
        _ run: @escaping @Sendable () async -> Answer
    ) -> MonotonicTime? {
        let joined = state.withLock { state -> (isNew: Bool, end: MonotonicTime)? in
            // Checked under the lock, so that a later cancellation finds the waiter.
            if waiter != nil, Task.isCancelled { return nil }
            let known = state.requests[key]
            var request = known ?? Request(end: end)
            if let waiter { request.waiters[waiter.number] = waiter.1 }
            state.requests[key] = request
            return (known == nil, request.end)
        }
        guard let joined else {
            waiter?.1.resume(returning: nil)
            return nil
        }
        if joined.isNew { Task { finish(key, with: await run()) } }
        return joined.end
    }

    private func finish(_ key: Key, with answer: Answer) {
        let waiters = state.withLock { $0.requests.removeValue(forKey: key)?.waiters ?? [:] }
        for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) {
            waiter.resume(returning: answer)
        }
    }

    private func leave(_ key: Key, _ number: Int) {
        state.withLock { $0.requests[key]?.waiters.removeValue(forKey: number) }?
            .resume(returning: nil)
    }
}
