import EvdevInput
import Synchronization

/// Runs all of the daemon's tasks on the thread it is run on, and takes the signals that end it.
///
/// Swift's own pool wakes up once a second for as long as the process lives, and every hop between
/// its threads costs a scan time. Here an idle daemon sleeps until a key or a signal comes, and a
/// scan goes from the reader's thread to this one and from here to the consumer.
package final class MainLoop: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var signalCount = 0
        var wasSignalled = false
        var isFinished = false
        /// Whether the thread sleeps, or is just about to, and has not been woken yet.
        var isWaiting = false
    }

    private let state = Mutex(State())
    /// For whoever puts something into the state while the thread sleeps.
    private let wakeup: Wakeup

    /// Makes a loop, and keeps `SIGTERM` and `SIGINT` from this thread and those it starts.
    ///
    /// - Throws: `SystemCallError` where the kernel has nothing to give.
    package init() throws {
        wakeup = try Wakeup()
        try EndingSignals.watch { _ in self.noteSignal() }
    }

    /// Takes a job, from any thread.
    ///
    /// - Parameter job: The job.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        change { $0.jobs.append(job) }
    }

    /// Makes ``run(grace:onSignal:)`` return once the jobs in hand are done.
    package func finish() {
        change { $0.isFinished = true }
    }

    /// Runs jobs on this thread until ``finish()``.
    ///
    /// - Parameters:
    ///   - grace: How long it may take to come to an end after a signal.
    ///   - onSignal: Called on this thread for each signal.
    /// - Returns: Whether it came to its end: false where the grace ran out.
    package func run(grace: Duration, onSignal: () -> Void) -> Bool {
        let clock = ContinuousClock()
        var end: ContinuousClock.Instant?
        while true {
            if runJobs() { return true }
            if let end, clock.now >= end { return false }
            wait(until: end, clock)
            guard takeSignal() else { continue }
            end = end ?? clock.now.advanced(by: grace)
            onSignal()
        }
    }

    /// Whether a signal has asked for the end.
    var wasSignalled: Bool {
        state.withLock { $0.wasSignalled } || EndingSignals.isPending
    }

    /// Runs the jobs there are.
    ///
    /// - Returns: Whether no more will come.
    private func runJobs() -> Bool {
        while true {
            let (jobs, isFinished) = state.withLock { state in
                let jobs = state.jobs
                state.jobs.removeAll(keepingCapacity: true)
                return (jobs, state.isFinished)
            }
            if jobs.isEmpty { return isFinished }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
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
            state.wasSignalled = true
        }
    }

    /// Changes the state, and wakes the thread where it sleeps.
    private func change(_ change: (inout State) -> Void) {
        let isToBeWoken = state.withLock { state in
            change(&state)
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if isToBeWoken { wakeup.wake() }
    }
}
