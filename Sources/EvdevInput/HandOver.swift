internal import Synchronization

/// The bounded queue between the reader's thread and the rest: all that the two share.
///
/// The reader never waits: where the consumer happens to hold the lock, which it does for as long
/// as it takes to move one element, the reader keeps what it has and comes back.
final class HandOver: Sendable {
    fileprivate struct State {
        var queue: [ReaderOutput?] = []
        var head = 0
        var counted = 0
        var lost = 0
        var waiting: CheckedContinuation<ReaderOutput?, Never>?
        var isFinished = false
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// Makes a queue.
    ///
    /// - Parameter capacity: How many scans and rejections it holds. What else happens is rare,
    ///   and is never thrown away.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    /// Puts outputs in, and wakes the consumer.
    ///
    /// - Parameters:
    ///   - outputs: What to put in; empty afterwards, unless the queue is being read just now.
    ///   - isLast: Whether nothing will follow.
    /// - Returns: Whether they are in.
    func offer(_ outputs: inout [ReaderOutput], isLast: Bool = false) -> Bool {
        let batch = outputs
        let wakeUp = state.withLockIfAvailable { state -> WakeUp in
            for output in batch { state.append(output, capacity: capacity) }
            state.isFinished = state.isFinished || isLast
            return state.wakeUp()
        }
        guard let wakeUp else { return false }
        outputs.removeAll(keepingCapacity: true)
        wakeUp.continuation?.resume(returning: wakeUp.output)
        return true
    }

    /// Takes the next output out, waiting for it; for one consumer only.
    ///
    /// - Returns: The output; nil at the end, or when the task is cancelled.
    func next() async -> ReaderOutput? {
        await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<ReaderOutput?, Never>) in
                let wakeUp = state.withLock { state -> WakeUp in
                    state.waiting = continuation
                    return state.wakeUp()
                }
                wakeUp.continuation?.resume(returning: wakeUp.output)
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.isFinished = true
                state.queue = []
                state.head = 0
                return state.waiting.take()
            }
            continuation?.resume(returning: nil)
        }
    }
}

extension HandOver {
    /// A consumer to be woken, outside the lock, and what it gets.
    fileprivate struct WakeUp: Sendable {
        var continuation: CheckedContinuation<ReaderOutput?, Never>?
        var output: ReaderOutput?
    }
}

extension HandOver.State {
    fileprivate mutating func append(_ output: ReaderOutput, capacity: Int) {
        if output.countsTowardsCapacity {
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
    fileprivate mutating func wakeUp() -> HandOver.WakeUp {
        guard waiting != nil else { return HandOver.WakeUp() }
        let output = pop()
        guard output != nil || isFinished else { return HandOver.WakeUp() }
        return HandOver.WakeUp(continuation: waiting.take(), output: output)
    }

    private mutating func pop() -> ReaderOutput? {
        guard head < queue.count else { return takeLoss() }
        defer { compact() }
        let output = queue[head]
        queue[head] = nil
        head += 1
        if output?.countsTowardsCapacity == true { counted -= 1 }
        return output
    }

    /// The word on what was thrown away, for the place where it is missing.
    private mutating func takeLoss() -> ReaderOutput? {
        guard lost > 0 else { return nil }
        defer { lost = 0 }
        return .notice(.lost(count: lost))
    }

    private mutating func compact() {
        guard head >= 64, head * 2 >= queue.count else { return }
        queue.removeFirst(head)
        head = 0
    }
}

extension ReaderOutput {
    fileprivate var countsTowardsCapacity: Bool {
        switch self {
        case .scan, .rejected: true
        case .connected, .disconnected, .notice: false
        }
    }
}
