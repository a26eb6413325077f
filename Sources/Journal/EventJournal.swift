import Dispatch
import Events
import GRDB
import Glibc
import Synchronization

/// Events on disk: written once, read by many, each at its own cursor.
///
/// One thread writes: it commits all pending events together, and those that come in the meantime with
/// the next commit. Another reads. Neither wakes up without work.
package final class EventJournal: Sendable {
    struct State {
        var epoch: Epoch
        /// The newest event that is on the disk.
        var newest: UInt64
        var numbers: SequenceNumbers
        var pending: PendingWork
        /// The newest event that was appended.
        var appended: UInt64 = 0
        /// The first event of the batch that is being written.
        var writing: UInt64?
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        /// The reason why nothing can be written at the moment.
        var trouble: JournalError?
        var retryAt: ContinuousClock.Instant?
        var isAsleep = false
        var isEnding = false
        var isClosed = false
        /// Damage that a reading thread found and the writing one has to repair.
        var damage: Damage?
        /// How many files were put aside: damage is that of the file in which it was found.
        var replacements = 0
        /// Whether retention has more to remove than one step did.
        var isRetaining = false
        /// Calls for the writing thread, which show that it is alive.
        var pings: [@Sendable () -> Void] = []
        /// Whether the current loss of events has been reported.
        var isLossTold = false
        /// Whether retention found the journal too large, and is not done.
        var isShrinking = false
        /// How much is kept.
        var retention: Retention
    }

    struct Waiter {
        /// The event that must be on the disk, or settled.
        let sequence: UInt64
        /// Whether an event that was given up, or waits for a failing disk, ends the wait, too.
        let isForSettled: Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// The settings.
    package let settings: JournalSettings
    let tell: @Sendable (JournalNotice) -> Void
    let state: Mutex<State>
    let wakeup = DispatchSemaphore(value: 0)
    let readings = JournalReadings()
    /// Requests to running sinks to resume at another cursor.
    package let requests = CursorRequests()
    /// Reads the whole journal once, at the start.
    let checks = JournalReadings()

    /// Opens a journal, or makes one if the file does not exist.
    ///
    /// A damaged file or a failing disk does not prevent a start: the journal reports it, and repairs the
    /// file on its own thread. Events that the named durable sinks have not taken are kept. `tell`
    /// gets notices on a thread of the journal.
    ///
    /// - Throws: ``JournalError``, for a file that is no journal, of a newer keywedge, or in use.
    package init(
        opening settings: JournalSettings, sinks: Set<String> = [],
        tell: @escaping @Sendable (JournalNotice) -> Void = { _ in }
    ) throws {
        self.settings = settings
        self.tell = tell
        let writer = try JournalWriter(opening: settings, sinks: sinks)
        state = Mutex(
            State(
                epoch: writer.epoch, newest: writer.newest, numbers: writer.numbers,
                pending: PendingWork(policy: settings.whenFull), trouble: writer.firstTrouble,
                retention: Retention(settings, sinks: sinks)))
        try readings.start(path: settings.file)
        try checks.start(path: settings.file)
        try WaitingThread.start {
            var writer = writer
            writer.run(for: self)
        }
        checkAll()
    }

    /// Changes how much is kept, and the durable sinks whose events are kept, in the same file.
    package func keep(by settings: JournalSettings, for sinks: Set<String>) {
        change { state in
            state.retention = Retention(settings, sinks: sinks)
            state.pending.policy = settings.whenFull
        }
    }

    /// How much is kept.
    var retention: Retention { state.withLock { $0.retention } }

    /// This life of the journal.
    package var epoch: Epoch { state.withLock { $0.epoch } }

    /// Whether the file is open: before that, ``end`` is not known.
    package var isOpen: Bool { state.withLock { $0.trouble == nil } }

    /// The newest event that is on the disk.
    package var end: Cursor {
        state.withLock { Cursor(epoch: $0.epoch, sequence: $0.newest) }
    }

    /// The number for the next event; no other event ever gets it.
    package func nextSequence() -> UInt64 {
        change { state in
            state.numbers.next(now: Self.microsecondsSince1970)
        }
    }

    /// Enqueues an event without waiting; its number, from ``nextSequence()``, must be higher than
    /// those of all events before it.
    package func append(_ entry: JournalEntry) {
        change { state in
            guard !state.isClosed else { return }
            state.appended = max(state.appended, entry.sequence)
            state.pending.append(entry)
        }
    }

    /// Returns once the event with a number is on the disk.
    ///
    /// - Throws: `CancellationError`; ``JournalError/closed``.
    package func committed(_ sequence: UInt64) async throws {
        try await wait(for: sequence, isForSettled: false)
    }

    /// Returns once the event with a number is on the disk, was given up, or waits for a disk that
    /// fails.
    ///
    /// - Throws: `CancellationError`; ``JournalError/closed``.
    package func settled(_ sequence: UInt64) async throws {
        try await wait(for: sequence, isForSettled: true)
    }

    private func wait(for sequence: UInt64, isForSettled: Bool) async throws {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(
                    Waiter(
                        sequence: sequence, isForSettled: isForSettled, continuation: continuation),
                    id)
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?
                .continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns once an event with a higher number is on the disk.
    ///
    /// - Throws: `CancellationError`; ``JournalError/closed``.
    package func more(after sequence: UInt64) async throws {
        try await committed(sequence == .max ? .max : sequence + 1)
    }

    /// Writes what is pending and closes the file.
    ///
    /// - Returns: How many events could not be written.
    @discardableResult package func close() async -> Int {
        change { $0.isEnding = true }
        // No event has this number: the wait ends when the journal is closed.
        try? await committed(.max)
        return state.withLock { $0.pending.entries.count }
    }

    /// Has the writing thread call `answer`, also while it waits to try a failing disk again.
    ///
    /// The call does not come while the thread is stuck in a system call, nor once the journal is
    /// closed.
    package func ping(_ answer: @escaping @Sendable () -> Void) {
        let isToBeWoken = state.withLock { state in
            state.pings.append(answer)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if isToBeWoken { wakeup.signal() }
    }

    /// Has the writing thread repair damage that a reading one found.
    ///
    /// `replacements` is the number of files that had been put aside when the reading began: damage of
    /// a file that has been put aside since is ignored.
    func mend(_ damage: Damage, foundBehind replacements: Int) {
        change { state in
            if state.replacements == replacements { state.damage = damage }
        }
    }

    private func wait(_ waiter: Waiter, _ id: Int) {
        let answer = state.withLock { state -> Result<Void, any Error>? in
            if state.isOver(waiter) { return .success(()) }
            if state.isClosed { return .failure(JournalError.closed) }
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiters[id] = waiter
            return nil
        }
        if let answer { waiter.continuation.resume(with: answer) }
    }

    /// Changes the state, and wakes the writing thread if that gives it work.
    func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, isToBeWoken, ready) = state.withLock { state in
            let value = body(&state)
            let isToBeWoken = state.isAsleep && state.hasWork
            if isToBeWoken { state.isAsleep = false }
            return (value, isToBeWoken, state.takeWaiters())
        }
        if isToBeWoken { wakeup.signal() }
        for waiter in ready { waiter.continuation.resume() }
        return value
    }

    /// The time of day.
    var now: EventTime { EventTime(microsecondsSince1970: Self.microsecondsSince1970()) }

    static func microsecondsSince1970() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
