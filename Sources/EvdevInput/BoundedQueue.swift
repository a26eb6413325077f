internal import Synchronization

/// A bounded queue between the reader's thread and one consumer: all that the two share.
///
/// The reader never waits: where the consumer happens to hold the lock, which it does for as long
/// as it takes to move one output, the reader keeps what it has and comes back.
final class BoundedQueue: Sendable {
    private let state: Mutex<BoundedQueueState>

    /// Makes a queue.
    ///
    /// - Parameter capacity: How many scans and rejections it holds. What else happens is rare,
    ///   and is never thrown away.
    init(capacity: Int) {
        state = Mutex(BoundedQueueState(capacity: max(capacity, 1)))
    }

    /// Puts outputs in, and wakes the consumer.
    ///
    /// - Parameters:
    ///   - outputs: What to put in; empty afterwards, unless the queue is being read just now.
    ///   - isLast: Whether nothing will follow.
    /// - Returns: Whether they are in.
    func offer(_ outputs: inout [ReaderOutput], isLast: Bool = false) -> Bool {
        let batch = outputs
        let wakeUp = state.withLockIfAvailable { state in
            for output in batch { state.append(output) }
            state.isFinished = state.isFinished || isLast
            return state.wakeUp()
        }
        guard let wakeUp else { return false }
        outputs.removeAll(keepingCapacity: true)
        wakeUp.carryOut()
        return true
    }

    /// Takes the next output out, waiting for it.
    ///
    /// - Returns: The output; nil at the end, or when the task is cancelled.
    nonisolated(nonsending) func next() async -> ReaderOutput? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let wakeUp = state.withLock { state in
                    state.waiting = continuation
                    return state.wakeUp()
                }
                wakeUp.carryOut()
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.finish()
                return state.waiting.take()
            }
            continuation?.resume(returning: nil)
        }
    }
}

/// What is in a ``BoundedQueue``.
private struct BoundedQueueState: Sendable {
    /// A consumer to be woken, outside the lock, and what it gets.
    struct WakeUp: Sendable {
        var continuation: CheckedContinuation<ReaderOutput?, Never>?
        var output: ReaderOutput?

        func carryOut() { continuation?.resume(returning: output) }
    }

    private let capacity: Int
    private var queue: [ReaderOutput?] = []
    private var head = 0
    private var counted = 0
    private var lost = 0
    var waiting: CheckedContinuation<ReaderOutput?, Never>?
    var isFinished = false

    init(capacity: Int) {
        self.capacity = capacity
    }

    mutating func append(_ output: ReaderOutput) {
        if output.takesRoom {
            guard counted < capacity else {
                lost += 1
                return
            }
            counted += 1
        }
        if let loss = takeLoss() { queue.append(loss) }
        queue.append(output)
    }

    /// The consumer, where it waits and there is something to give it.
    mutating func wakeUp() -> WakeUp {
        guard waiting != nil else { return WakeUp() }
        let output = pop()
        guard output != nil || isFinished else { return WakeUp() }
        return WakeUp(continuation: waiting.take(), output: output)
    }

    mutating func pop() -> ReaderOutput? {
        guard head < queue.count else { return takeLoss() }
        defer { compact() }
        let output = queue[head].take()
        head += 1
        if output?.takesRoom == true { counted -= 1 }
        return output
    }

    /// Forgets what is in it: nobody takes it any more.
    mutating func finish() {
        isFinished = true
        queue = []
        head = 0
    }

    /// The word on what was thrown away, for the place where it is missing.
    private mutating func takeLoss() -> ReaderOutput? {
        guard lost > 0 else { return nil }
        defer { lost = 0 }
        return .notice(.lost(count: lost))
    }

    private mutating func compact() {
        if head == queue.count {
            queue.removeAll(keepingCapacity: head <= 64)
            head = 0
        } else if head >= 64, head * 2 >= queue.count {
            queue.removeFirst(head)
            head = 0
        }
    }
}

extension ReaderOutput {
    fileprivate var takesRoom: Bool {
        switch self {
        case .scan, .rejected: true
        case .scanner, .connected, .disconnected, .notice: false
        }
    }
}
