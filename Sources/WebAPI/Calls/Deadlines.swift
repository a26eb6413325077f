import NIOCore
import NIOPosix
import Synchronization

/// Ends what takes too long, whether it heeds cancellation or not.
///
/// There is one timer for all that run, for most of them end long before their time.
final class Deadlines: Sendable {
    /// How long after its time, or its cancellation, something may still say what it knows.
    private static let grace = Duration.milliseconds(50)

    private struct Run {
        var due: NIODeadline
        var isCancelled = false
        var task: Task<Void, Never>?
        /// Gives the result of what is late, or was cancelled.
        var lose: @Sendable (_ isCancelled: Bool) -> Void
    }

    private struct State {
        var runs: [Int: Run] = [:]
        var begun = 0
        var timer: NIODeadline?
    }

    private let state = Mutex(State())

    /// Runs an operation, and gives what `late` gives if it has not ended in time.
    ///
    /// When the time is up, the operation is cancelled and left to itself. If the task is cancelled, only
    /// the grace is left.
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
                let caller = Caller(continuation)
                begin(id, Run(due: due) { caller.resume(late($0)) })
                let task = Task.immediate {
                    let result = await operation()
                    self.state.withLock { _ = $0.runs.removeValue(forKey: id) }
                    caller.resume(result)
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

    private func begin(_ id: Int, _ run: Run) {
        state.withLock { state in
            state.runs[id] = run
            schedule(run.due, &state)
        }
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

    /// Has the timer fire at a time, unless it fires before that.
    private func schedule(_ due: NIODeadline, _ state: inout State) {
        if let timer = state.timer, timer <= due { return }
        state.timer = due
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(deadline: due) { self.fire(due) }
    }

    private func fire(_ timer: NIODeadline) {
        let late = state.withLock { state -> [Int: Run] in
            // An earlier timer has taken this one's place.
            guard state.timer == timer else { return [:] }
            state.timer = nil
            let late = state.runs.filter { $0.value.due <= timer }
            if let next = state.runs.values.lazy.map(\.due).filter({ $0 > timer }).min() {
                schedule(next, &state)
            }
            return late
        }
        // What has a result already, and waits for a thread to say so, comes first.
        if !late.isEmpty { Task { for id in late.keys { lose(id) } } }
    }

    private func lose(_ id: Int) {
        guard let run = state.withLock({ $0.runs.removeValue(forKey: id) }) else { return }
        run.lose(run.isCancelled)
        run.task?.cancel()
    }
}

/// Who waits for a result, and takes the first.
private final class Caller<Result: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Result, Never>?>

    init(_ continuation: CheckedContinuation<Result, Never>) {
        self.continuation = Mutex(continuation)
    }

    func resume(_ result: Result) {
        continuation.withLock { $0.take() }?.resume(returning: result)
    }
}
