import NIOCore
import NIOPosix
import Synchronization

/// Ends what takes too long, whether it heeds cancellation or not.
///
/// There is one timer for all that run, for most of them end long before their time.
final class Deadlines: Sendable {
    /// How long after its time, or its cancellation, something may still say what it knows.
    static let grace = Duration.milliseconds(50)

    private struct State {
        var running: [ObjectIdentifier: Race] = [:]
        var timer: NIODeadline?
    }

    private let state = Mutex(State())

    /// Runs an operation, and gives what `late` gives if it has not ended in time.
    ///
    /// When the time is up, the operation is cancelled and left to itself. If the task is cancelled, only
    /// the grace is left.
    func run<Result: Sendable>(
        within limit: Duration, late: @escaping @Sendable (_ isCancelled: Bool) -> Result,
        _ operation: @escaping @Sendable () async -> Result
    ) async -> Result {
        let race = Race(due: .now() + TimeAmount(limit + Self.grace))
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let caller = Caller(continuation)
                race.start {
                    caller.resume(late($0))
                } task: {
                    Task.immediate {
                        let result = await operation()
                        self.remove(race)
                        caller.resume(result)
                    }
                }
                add(race)
            }
        } onCancel: {
            race.cancel()
            add(race)
        }
    }

    private func add(_ race: Race) {
        let due = race.due
        state.withLock { state in
            guard let due else { return }
            state.running[ObjectIdentifier(race)] = race
            guard state.timer.map({ due < $0 }) ?? true else { return }
            schedule(due, &state)
        }
    }

    private func remove(_ race: Race) {
        race.end()
        state.withLock { _ = $0.running.removeValue(forKey: ObjectIdentifier(race)) }
    }

    private func schedule(_ due: NIODeadline, _ state: inout State) {
        state.timer = due
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(deadline: due) { self.fire(due) }
    }

    private func fire(_ timer: NIODeadline) {
        let late = state.withLock { state -> [Race] in
            // An earlier timer has taken this one's place.
            guard state.timer == timer else { return [] }
            state.timer = nil
            let now = NIODeadline.now()
            let late = state.running.values.filter { ($0.due ?? now) <= now }
            for race in late { state.running[ObjectIdentifier(race)] = nil }
            if let next = state.running.values.compactMap(\.due).min() { schedule(next, &state) }
            return late
        }
        // What has a result already, and waits for a thread to say so, comes first.
        if !late.isEmpty { Task { for race in late { race.lose() } } }
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

/// One operation against its time.
private final class Race: Sendable {
    private struct State {
        var due: NIODeadline?
        var isCancelled = false
        var task: Task<Void, Never>?
        var late: (@Sendable (Bool) -> Void)?
    }

    private let state: Mutex<State>

    init(due: NIODeadline) { state = Mutex(State(due: due)) }

    /// When the time is up; nil once the operation has ended.
    var due: NIODeadline? { state.withLock { $0.due } }

    func start(
        late: @escaping @Sendable (Bool) -> Void, task: @escaping @Sendable () -> Task<Void, Never>
    ) {
        let task = task()
        let isCancelled = state.withLock { state in
            if state.due != nil { (state.task, state.late) = (task, late) }
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            state.due = state.due.map { min($0, .now() + TimeAmount(Deadlines.grace)) }
            return state.task
        }
        task?.cancel()
    }

    func end() { _ = state.withLock { take(&$0) } }

    func lose() {
        let (old, isCancelled) = state.withLock { (take(&$0), $0.isCancelled) }
        old.late?(isCancelled)
        old.task?.cancel()
    }

    private func take(
        _ state: inout State
    ) -> (task: Task<Void, Never>?, late: (@Sendable (Bool) -> Void)?) {
        defer { (state.due, state.task, state.late) = (nil, nil, nil) }
        return (state.task, state.late)
    }
}
