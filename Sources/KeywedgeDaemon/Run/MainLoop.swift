import Glibc
import ScannerInput
import Synchronization
import WireText

/// The loop that runs all of the daemon's tasks on one thread, and receives the signals that end the daemon.
///
/// Swift's thread pool wakes up once a second in every process that uses it, and every hop between its threads delays
/// a scan. With this loop, an idle daemon sleeps until a key or a signal arrives. A scan changes threads only once,
/// from the reader's thread to this one.
package final class MainLoop: TaskExecutor {
    /// The maximum time for which startup may continue after a signal to end the daemon.
    package static let startGrace = Duration.seconds(2)
    /// How long the loop may still run after the grace period before it counts as stuck.
    static let lastGrace = Duration.seconds(1)

    private struct State {
        var jobs: [UnownedJob] = []
        var signalCount = 0
        var firstSignal: ContinuousClock.Instant?
        /// The grace period passed to ``run(grace:onSignal:)``; nil before that call.
        var grace: Duration?
        var isFinished = false
        /// Whether the thread is asleep or about to sleep, and must be woken when work arrives.
        var isWaiting = false
    }

    private let state = Mutex(State())
    private let wakeup: Wakeup

    /// Creates a loop, and blocks `SIGTERM` and `SIGINT` on this thread and on the threads that it starts.
    ///
    /// `onStuck` is called on another thread if a signal does not end the process: one second after the grace period,
    /// or two seconds after the signal if ``run(grace:onSignal:)`` has not begun by then.
    ///
    /// - Throws: `SystemCallError` if the kernel cannot provide an eventfd or a thread.
    package init(onStuck: @escaping @Sendable (Stuck) -> Void = { _ in }) throws {
        wakeup = try Wakeup()
        try EndingSignals.watch { number in
            self.noteSignal()
            Self.sleep(for: Self.startGrace)
            guard let grace = self.state.withLock({ $0.grace }) else {
                return onStuck(.starting(signal: number))
            }
            Self.sleep(for: grace + Self.lastGrace - Self.startGrace)
            onStuck(.running)
        }
    }

    /// The phase in which the daemon got stuck after `SIGTERM` or `SIGINT`.
    package enum Stuck: Sendable {
        case starting(signal: Int32)
        case running
    }

    private static func sleep(for duration: Duration) {
        let milliseconds = max(0, Int32(clamping: Int64(duration / .milliseconds(1))))
        _ = poll(nil, 0, milliseconds)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        change { $0.jobs.append(job) }
    }

    /// Makes ``run(grace:onSignal:)`` return as soon as no jobs are waiting.
    package func finish() {
        change { $0.isFinished = true }
    }

    /// Runs jobs on this thread until ``finish()`` has been called and no jobs are waiting.
    ///
    /// On `SIGTERM` or `SIGINT`, this thread calls `onSignal`; after the first, jobs may run for at most `grace`.
    ///
    /// - Returns: Whether the jobs finished; false if the grace period ran out.
    package func run(grace: Duration, onSignal: () -> Void) -> Bool {
        let clock = ContinuousClock()
        var end: ContinuousClock.Instant?
        state.withLock { $0.grace = grace }
        while true {
            // Run one batch at a time, so that jobs that keep adding others do not delay a signal.
            if !runBatch() {
                if state.withLock({ $0.jobs.isEmpty && $0.isFinished }) { return true }
                wait(until: end, clock)
            }
            if let end, clock.now >= end { return false }
            guard takeSignal() else { continue }
            end = state.withLock { $0.firstSignal }?.advanced(by: grace)
            onSignal()
        }
    }

    var wasSignalled: Bool {
        state.withLock { $0.firstSignal != nil } || EndingSignals.isPending
    }

    /// Runs the waiting jobs; returns false if there were none.
    private func runBatch() -> Bool {
        let jobs = state.withLock { state in
            let jobs = state.jobs
            state.jobs.removeAll(keepingCapacity: true)
            return jobs
        }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        return !jobs.isEmpty
    }

    private func wait(until end: ContinuousClock.Instant?, _ clock: ContinuousClock) {
        let mayWait = state.withLock { state in
            state.isWaiting = state.jobs.isEmpty && state.signalCount == 0 && !state.isFinished
            return state.isWaiting
        }
        guard mayWait else { return }
        defer { state.withLock { $0.isWaiting = false } }
        wakeup.wait(atMost: end.map { clock.now.duration(to: $0) })
    }

    private func takeSignal() -> Bool {
        state.withLock { state in
            defer { state.signalCount = 0 }
            return state.signalCount > 0
        }
    }

    private func noteSignal() {
        change { state in
            state.signalCount += 1
            state.firstSignal = state.firstSignal ?? .now
        }
    }

    /// Changes the state, and wakes the thread if it is waiting.
    private func change(_ change: (inout State) -> Void) {
        let isToBeWoken = state.withLock { state in
            change(&state)
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if isToBeWoken { wakeup.wake() }
    }
}

/// Functions that detect `SIGINT` and `SIGTERM`, for a process whose main thread has other work.
package enum EndingSignals {
    /// Blocks `SIGINT` and `SIGTERM` on this thread and on the threads that it starts; another thread waits for them.
    ///
    /// - Parameter onSignal: Called on that other thread with the number of each signal.
    /// - Throws: `SystemCallError` if no thread can be started.
    package static func watch(_ onSignal: @escaping @Sendable (Int32) -> Void) throws {
        var signals = ending
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        try WaitingThread.start {
            var signals = ending
            var number: Int32 = 0
            while sigwait(&signals, &number) == 0 { onSignal(number) }
        }
    }

    /// Whether `SIGINT` or `SIGTERM` has arrived but has not been handled yet.
    static var isPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return [SIGINT, SIGTERM].contains { sigismember(&pending, $0) == 1 }
    }

    private static var ending: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }
}
