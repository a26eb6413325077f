import NIOCore
import NIOPosix
import Synchronization

/// Time limits on operations, enforced even on those that ignore cancellation.
final class Deadlines: Sendable {
    /// How long after its limit or a cancellation an operation may still return its own result.
    private static let grace = Duration.milliseconds(50)

    private struct Run {
        var due: NIODeadline
        var isCancelled = false
        var task: Task<Void, Never>?
        /// A closure that resumes the caller with a substitute for the operation's result.
        var lose: @Sendable (_ isCancelled: Bool) -> Void
    }

    private struct State {
        var runs: [Int: Run] = [:]
        var begun = 0
        var timer: NIODeadline?
    }

    private let state = Mutex(State())

    /// Runs an operation; if it does not end in time, returns the result of `late` instead.
    ///
    /// If the operation is still running 50 ms after the limit, it is cancelled and abandoned. If the calling task is
    /// cancelled, the operation is cancelled immediately and has 50 ms to return a result.
    func run<Result: Sendable>(
        within limit: Duration, late: @escaping @Sendable (_ isCancelled: Bool) -> Result,
        operation: @escaping @Sendable () async -> Result
    ) async -> Result {
        let id = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        let due = NIODeadline.now() + TimeAmount(limit + Self.grace)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.runs[id] = Run(due: due) { continuation.resume(returning: late($0)) }
                    schedule(due, &state)
                }
                let task = Task.immediate {
                    let result = await operation()
                    // Either the operation or the timer removes the run, and the one that does returns the result.
                    guard self.remove(id) != nil else { return }
                    continuation.resume(returning: result)
                }
                let isCancelled = state.withLock { state in
                    state.runs[id]?.task = task
                    return state.runs[id]?.isCancelled
                }
                if isCancelled == true || Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func remove(_ id: Int) -> Run? {
        state.withLock { $0.runs.removeValue(forKey: id) }
    }

    private func cancel(_ id: Int) {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard var run = state.runs[id] else { return nil }
            run.isCancelled = true
            run.due = min(run.due, .now() + TimeAmount(Self.grace))
            state.runs[id] = run
            schedule(run.due, &state)
            return run.task
        }
        task?.cancel()
    }

    /// Sets the timer to `due`, unless it is already set to an earlier time.
    private func schedule(_ due: NIODeadline, _ state: inout State) {
        if let timer = state.timer, timer <= due { return }
        state.timer = due
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(deadline: due) { self.fire(due) }
    }

    private func fire(_ timer: NIODeadline) {
        let late = state.withLock { state -> [Int: Run] in
            // An earlier timer has replaced this one.
            guard state.timer == timer else { return [:] }
            state.timer = nil
            let late = state.runs.filter { $0.value.due <= timer }
            if let next = state.runs.values.lazy.map(\.due).filter({ $0 > timer }).min() {
                schedule(next, &state)
            }
            return late
        }
        // If an operation has its result and only waits for a thread, a new task lets it finish first.
        if !late.isEmpty { Task { for id in late.keys { lose(id) } } }
    }

    private func lose(_ id: Int) {
        guard let run = remove(id) else { return }
        run.lose(run.isCancelled)
        run.task?.cancel()
    }
}
