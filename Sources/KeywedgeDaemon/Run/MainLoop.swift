import Glibc
import Synchronization
import WireText

/// Runs all of the daemon's tasks on the thread it is run on, and takes the signals that end it.
///
/// Swift's own pool wakes up once a second for as long as the process lives, and every hop between
/// its threads costs a scan time. Here an idle daemon sleeps until a key or a signal comes, and a
/// scan goes from the reader's thread to this one and from here to the consumer.
public final class MainLoop: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var signalCount = 0
        var isFinished = false
        /// Whether the thread sleeps, or is just about to, and has not been woken yet.
        var isWaiting = false
    }

    private let state = Mutex(State())
    /// A pipe: whoever puts something into the state while the thread sleeps writes a byte here.
    private let wakeups: (read: Int32, write: Int32)

    /// Makes a loop, and keeps `SIGTERM` and `SIGINT` from this thread and those it starts.
    ///
    /// - Throws: `SystemCallError` where the kernel has nothing to give.
    public init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemCallError(operation: "pipe", errno: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        wakeups = (ends[0], ends[1])
        try EndingSignals.watch { _ in self.noteSignal() }
    }

    deinit {
        close(wakeups.read)
        close(wakeups.write)
    }

    /// Takes a job, from any thread.
    ///
    /// - Parameter job: The job.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        change { $0.jobs.append(job) }
    }

    /// Makes ``run(grace:onSignal:)`` return once the jobs in hand are done.
    public func finish() {
        change { $0.isFinished = true }
    }

    /// Runs jobs on this thread until ``finish()``.
    ///
    /// - Parameters:
    ///   - grace: How long it may take to come to an end after a signal.
    ///   - onSignal: Called on this thread for each signal.
    /// - Returns: Whether it came to its end: false where the grace ran out.
    public func run(grace: Duration, onSignal: () -> Void) -> Bool {
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
        var descriptor = pollfd(fd: wakeups.read, events: Int16(POLLIN), revents: 0)
        let left = end.map { max(.zero, clock.now.duration(to: $0)) }
        let milliseconds = left.map { Int32(clamping: Int64($0 / .milliseconds(1)) + 1) } ?? -1
        poll(&descriptor, 1, milliseconds)
        var bytes: (UInt64, UInt64) = (0, 0)
        _ = read(wakeups.read, &bytes, MemoryLayout.size(ofValue: bytes))
    }

    private func takeSignal() -> Bool {
        state.withLock { state in
            defer { state.signalCount = 0 }
            return state.signalCount > 0
        }
    }

    private func noteSignal() {
        change { $0.signalCount += 1 }
    }

    /// Changes the state, and wakes the thread where it sleeps.
    private func change(_ change: (inout State) -> Void) {
        let isToBeWoken = state.withLock { state in
            change(&state)
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        guard isToBeWoken else { return }
        var one: UInt8 = 1
        _ = write(wakeups.write, &one, 1)
    }
}
