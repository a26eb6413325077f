import Dispatch
import Events
import GRDB
import Glibc
import Synchronization

/// Events on disk: written once, read by many, each at its own cursor.
///
/// A thread writes: what is pending is committed together, and what comes meanwhile is the next
/// commit. Another reads. Neither wakes up while there is nothing to do.
package final class EventJournal: Sendable {
    struct State {
        var epoch: Epoch
        /// The newest event that is on the disk.
        var newest: UInt64
        var numbers: SequenceNumbers
        var pending: PendingWork
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        /// Why nothing is written at the moment.
        var trouble: JournalError?
        var retryAt: ContinuousClock.Instant?
        var isAsleep = false
        var isEnding = false
        var isClosed = false
        /// What a reading thread found, which the writing one has to mend.
        var damage: Damage?
        /// How many files were put aside: damage is that of the file in which it was found.
        var replacements = 0
        /// Whether there is more to take away than one step did.
        var isRetaining = false
        /// Calls for the writing thread, which show that it is alive.
        var pings: [@Sendable () -> Void] = []
        /// Whether it was told that events are being given up.
        var isLossTold = false
        /// The numbers that no event has, as far as they are known.
        var skipped = SkippedNumbers()
        /// How much is kept.
        var retention: Retention
    }

    struct Waiter {
        /// What must be on the disk.
        let sequence: UInt64
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// The settings.
    package let settings: JournalSettings
    let tell: @Sendable (JournalNotice) -> Void
    let state: Mutex<State>
    let wakeup = DispatchSemaphore(value: 0)
    let readings = JournalReadings()
    /// Asks sinks that run to go on elsewhere.
    package let requests = CursorRequests()
    /// Reads the whole journal once, at the start.
    let checks = JournalReadings()

    /// Opens a journal, and makes it where there is none.
    ///
    /// A file that is damaged, or a disk that takes nothing, keeps nobody from starting: it is told,
    /// and mended on the journal's own thread.
    ///
    /// - Parameters:
    ///   - settings: Where it is, and how much is kept.
    ///   - sinks: The names of the durable sinks: what they have not taken is kept.
    ///   - tell: Takes what there is to tell, on a thread of the journal's.
    /// - Throws: ``JournalError``, for a file that is no journal, of a newer keywedge, or in use.
    package init(
        opening settings: JournalSettings, sinks: Set<String> = [],
        tell: @escaping @Sendable (JournalNotice) -> Void = { _ in }
    ) throws {
        self.settings = settings
        self.tell = tell
        let writer = try JournalWriter(opening: settings.file)
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

    /// Keeps as much as other settings say from now on, in the same file.
    ///
    /// - Parameters:
    ///   - settings: How much is kept.
    ///   - sinks: The names of the durable sinks: what they have not taken is kept.
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

    /// The number for the next event; no other ever gets it.
    ///
    /// - Returns: The number.
    package func nextSequence() -> UInt64 {
        change { state in
            state.numbers.next(now: Self.microsecondsSince1970)
        }
    }

    /// Takes an event, and waits for nothing.
    ///
    /// - Parameter entry: The event, with a number of ``nextSequence()`` above all that were
    ///   appended.
    package func append(_ entry: JournalEntry) {
        change { state in
            guard !state.isClosed else { return }
            state.pending.append(entry)
        }
    }

    /// Returns once an event is on the disk, or was given up for want of room.
    ///
    /// - Parameter sequence: Its number.
    /// - Throws: `CancellationError`; ``JournalError/closed``.
    package func committed(_ sequence: UInt64) async throws {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(Waiter(sequence: sequence, continuation: continuation), id)
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?
                .continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns once there is an event on the disk behind another.
    ///
    /// - Parameter sequence: The number of the other.
    /// - Throws: `CancellationError`; ``JournalError/closed``.
    package func more(after sequence: UInt64) async throws {
        try await committed(sequence + 1)
    }

    /// Writes what is pending and closes the file.
    ///
    /// - Returns: How many events could not be written.
    @discardableResult package func close() async -> Int {
        change { $0.isEnding = true }
        // Never committed: whoever waits for it is told when the journal is closed.
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

    /// Has the writing thread mend what a reading one found, unless that file is put aside by now.
    ///
    /// - Parameters:
    ///   - damage: What was found.
    ///   - replacements: How many files were put aside before the reading began.
    func mend(_ damage: Damage, foundBehind replacements: Int) {
        change { state in
            if state.replacements == replacements { state.damage = damage }
        }
    }

    private func wait(_ waiter: Waiter, _ id: Int) {
        let answer = state.withLock { state -> Result<Void, any Error>? in
            if state.newest >= waiter.sequence { return .success(()) }
            if state.isClosed { return .failure(JournalError.closed) }
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiters[id] = waiter
            return nil
        }
        if let answer { waiter.continuation.resume(with: answer) }
    }

    /// Changes the state, and wakes the writing thread where that gives it something to do.
    func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, isToBeWoken) = state.withLock { state in
            let value = body(&state)
            let isToBeWoken = state.isAsleep && state.hasWork
            if isToBeWoken { state.isAsleep = false }
            return (value, isToBeWoken)
        }
        if isToBeWoken { wakeup.signal() }
        return value
    }

    /// The time of day.
    var now: EventTime { EventTime(microsecondsSince1970: Self.microsecondsSince1970()) }

    private static func microsecondsSince1970() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
