import Dispatch
import Events
import Synchronization

/// A thread that does one thing after the other, and sleeps in between.
///
/// Databases are read here, so that none of the daemon's tasks waits for a disk.
final class JournalThread: Sendable {
    private struct State {
        var work: [@Sendable () -> Void] = []
        var isAsleep = false
        var isEnding = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let wakeup = DispatchSemaphore(value: 0)

    /// Starts the thread; it runs until ``end()``.
    ///
    /// - Throws: `SystemCallError` where there is no thread to be had.
    func start() throws {
        try WaitingThread.start {
            while let work = self.next() {
                for piece in work { piece() }
            }
        }
    }

    /// Takes a piece of work, from any thread.
    ///
    /// - Returns: Whether it will be done: false where the thread has ended.
    @discardableResult func enqueue(_ work: @escaping @Sendable () -> Void) -> Bool {
        let (isTaken, isToBeWoken) = state.withLock { state in
            guard !state.hasEnded else { return (false, false) }
            state.work.append(work)
            defer { state.isAsleep = false }
            return (true, state.isAsleep)
        }
        if isToBeWoken { wakeup.signal() }
        return isTaken
    }

    /// Does something on the thread and gives what comes of it.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = enqueue { continuation.resume(with: Result { try body() }) }
            if !isTaken { continuation.resume(throwing: JournalError.closed) }
        }
    }

    /// Does something on the thread and waits for it; not to be called there.
    func runAndWait(_ body: @escaping @Sendable () -> Void) {
        let isDone = DispatchSemaphore(value: 0)
        let isTaken = enqueue {
            body()
            isDone.signal()
        }
        if isTaken { isDone.wait() }
    }

    /// Has the thread end once it has done what it was given.
    func end() {
        let isToBeWoken = state.withLock { state in
            state.isEnding = true
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if isToBeWoken { wakeup.signal() }
    }

    private func next() -> [@Sendable () -> Void]? {
        while true {
            let work = state.withLock { state -> [@Sendable () -> Void]? in
                if state.work.isEmpty {
                    guard !state.isEnding else {
                        state.hasEnded = true
                        return nil
                    }
                    state.isAsleep = true
                    return []
                }
                defer { state.work = [] }
                return state.work
            }
            guard let work else { return nil }
            if !work.isEmpty { return work }
            wakeup.wait()
        }
    }
}
