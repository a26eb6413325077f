/// A state machine that decides what the journal's thread does next; it uses no disk, clock or thread itself.
///
/// Callers add work. The thread calls ``next(at:)`` for each step, and then reports the step's result. Times are the
/// machine's uptime in microseconds.
struct JournalWriter {
    private enum Phase: Equatable {
        /// The file is not open; if it is damaged, a new file with this epoch must replace it.
        case unopened(Damage?, Epoch)
        case open
        case closed
    }

    private(set) var epoch: Epoch
    var numbers = SequenceNumbers(after: 0)
    private(set) var newest: UInt64 = 0
    /// Why nothing can be written at the moment; nil if writing works.
    private(set) var trouble: JournalError?
    private(set) var retention: Retention
    private(set) var pending: PendingEvents
    var waiters = JournalWaiters()
    private let path: String
    private var phase: Phase
    private var changes: [JournalChange] = []
    private var inFlight = JournalStep.Batch()
    private var readings: [JournalStep.Reading] = []
    private var outbox: [JournalStep] = []
    private var isAsleep = false
    private var isEnding = false
    private var hasFailedAtEnd = false
    /// The length of the pause after a failed step (1, 2, 4 … 30 seconds), and when the pause ends.
    private var pause: (length: Int64, end: Int64)?
    /// Whether damage was found and nothing has been committed since; more damage then suggests a failing disk.
    private var isFresh = false
    /// Whether a commit has just ended; waiting reads and retention then come before the next commit.
    private var hasCommitted = false
    private(set) var shrinking = Shrinking()
    /// Damage found in the open file, to handle before the next step.
    private var foundDamage: Damage?

    init(path: String, epoch: Epoch = .new(), retention: Retention) {
        self.path = path
        self.epoch = epoch
        self.retention = retention
        pending = PendingEvents(retention.settings.whenFull)
        phase = .unopened(nil, epoch)
    }

    // MARK: Work from callers

    /// The error for a read that is attempted while the journal's file is not open.
    var obstacle: JournalError {
        phase == .closed ? .closed : trouble ?? .failed(path: path, reason: "it is not open")
    }

    mutating func append(_ entry: JournalEntry) { if phase != .closed { pending.append(entry) } }

    /// Queues a change for the journal's thread to write; returns false if the journal is closed.
    mutating func append(_ change: JournalChange) -> Bool {
        if phase != .closed { changes.append(change) }
        return phase != .closed
    }

    /// Queues a read for the journal's thread; returns false if the journal is closed.
    mutating func append(_ reading: @escaping JournalStep.Reading) -> Bool {
        if phase != .closed { readings.append(reading) }
        return phase != .closed
    }

    /// Returns a condition's outcome if it is known; otherwise, returns nil and passes the outcome to `resume` later.
    mutating func wait(
        for condition: JournalWaiters.Condition, id: Int,
        _ resume: @escaping JournalWaiters.Resumption
    ) -> JournalWaiters.Outcome? {
        if let outcome = outcome(of: condition) { return outcome }
        waiters.add(id, condition, resume)
        return nil
    }

    mutating func ping(_ answer: @escaping @Sendable () -> Void) {
        if phase != .closed { outbox.append(.answer(answer)) }
    }

    mutating func keep(_ retention: Retention) {
        self.retention = retention
        pending.policy = retention.settings.whenFull
        shrinking.isDue = true
    }

    /// Records damage found in the file with this epoch; ignores it if that file is no longer open.
    mutating func found(_ damage: Damage, in epoch: Epoch) {
        if phase == .open, epoch == self.epoch { foundDamage = damage }
    }

    /// Makes the thread close the file after one last try to write the pending events and changes.
    mutating func end() { isEnding = true }

    /// Marks the thread as awake; returns whether it was asleep, in which case the caller must wake it.
    mutating func wake() -> Bool {
        defer { isAsleep = false }
        return isAsleep
    }

    // MARK: Steps of the thread

    mutating func next(at now: Int64) -> JournalStep {
        isAsleep = false
        if let damage = foundDamage.take(), phase == .open { failed(damage, at: now) }
        answerWaiters()
        if !outbox.isEmpty { return outbox.removeFirst() }
        if let loss = pending.lossThatBegan() { return .report(.full(loss)) }
        if phase == .closed { return .end }
        let end = isEnding ? nil : pause.map(\.end).flatMap { $0 > now ? $0 : nil }
        if !readings.isEmpty,
            end != nil || phase == .open && (hasCommitted || pending.entries.isEmpty)
        {
            return takeReadings()
        }
        if isEnding, hasFailedAtEnd { return .close(last: numbers.last) }
        if let end { return sleep(until: end) }
        guard case .unopened(let damage, let epoch) = phase else { return nextWhileOpen() }
        return damage.map { .replace($0, epoch: epoch) } ?? .open
    }

    private mutating func nextWhileOpen() -> JournalStep {
        if hasCommitted, shrinking.isDue { return retain() }
        if let wanted = numbers.wanted { return .reserve(wanted) }
        if !pending.entries.isEmpty || !changes.isEmpty {
            inFlight = JournalStep.Batch(entries: pending.take(), changes: changes)
            changes = []
            hasCommitted = false
            return .commit(inFlight)
        }
        if isEnding { return .close(last: numbers.last) }
        return shrinking.isDue ? retain() : sleep(until: nil)
    }

    private mutating func retain() -> JournalStep {
        hasCommitted = false
        return .retain(isShrinking: shrinking.isShrinking)
    }

    private mutating func takeReadings() -> JournalStep {
        defer { readings = [] }
        return .read(readings)
    }

    private mutating func sleep(until end: Int64?) -> JournalStep {
        isAsleep = true
        return .sleep(until: end)
    }

    /// Removes and returns the functions that answer waiting callers, for instance a caller of ``ping(_:)``.
    ///
    /// The thread calls them during a long step, so that no caller waits for the end of the step.
    mutating func takeAnswers() -> [@Sendable () -> Void] {
        answerWaiters()
        let answers = outbox.compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
        outbox.removeAll { if case .answer = $0 { true } else { false } }
        return answers
    }

    // MARK: Results of the thread's steps

    mutating func opened(_ bounds: JournalBounds, _ replacement: JournalReplacement? = nil) {
        phase = .open
        epoch = bounds.epoch
        numbers.skip(to: bounds.reserved)
        // If the system clock was behind, numbers taken from it may belong to events in the file.
        if pending.floor == nil { pending.raise(floor: bounds.newest.sequence) }
        newest = max(newest, bounds.newest.sequence)
        shrinking.isDue = true
        recover()
        if let replacement { report(.replaced(replacement)) }
    }

    mutating func reserved(upTo number: UInt64) {
        numbers.reserve(upTo: number)
        recover()
    }

    /// Records that the batch is on disk; `refused` maps indices of refused changes to errors.
    mutating func committed(
        _ bounds: JournalBounds, refused: [Int: any Error], loss: JournalLoss?, at now: Int64
    ) {
        let done = inFlight.changes
        inFlight = JournalStep.Batch()
        newest = max(newest, bounds.newest.sequence)
        isFresh = false
        hasCommitted = true
        shrinking.look(at: bounds, now, retention)
        recover()
        report(pending.lossThatEnded())
        report(loss)
        for (index, change) in done.enumerated() { answer(change, refused[index]) }
    }

    mutating func retained(_ outcome: Retention.Outcome, at now: Int64) {
        recover()
        report(shrinking.record(outcome, at: now))
        let hadNoRoom = pending.isFull
        pending.isFull = outcome.isFull
        if hadNoRoom { report(pending.lossThatEnded()) }
    }

    mutating func closed() {
        phase = .closed
        report(pending.takeLoss())
        report(shrinking.loss.take())
        answerWaiters()
        for change in inFlight.changes + changes { answer(change, JournalError.closed) }
        changes = []
        if !readings.isEmpty { outbox.append(takeReadings()) }
    }

    mutating func failed(_ error: any Error, at now: Int64) {
        pending.takeBack(inFlight.entries)
        changes = inFlight.changes + changes
        inFlight = JournalStep.Batch()
        let trouble = JournalError(error, path: path)
        self.trouble = trouble
        if let damage = trouble.damage {
            var epoch = Epoch.new()
            if case .unopened(_, let known) = phase { epoch = known }
            phase = .unopened(damage, epoch)
            // A new journal can accept the waiting work immediately.
            guard isFresh else {
                isFresh = true
                return
            }
        }
        // Only the first of several failed tries is reported.
        if pause == nil { report(.failing(reason: "\(trouble)")) }
        let length = min((pause?.length ?? 500_000) * 2, 30_000_000)
        pause = (length, now + length)
        hasFailedAtEnd = isEnding
    }

    private mutating func recover() {
        trouble = nil
        if pause.take() != nil { report(.recovered) }
    }

    private mutating func report(_ notice: JournalNotice) { outbox.append(.report(notice)) }
    private mutating func report(_ loss: JournalLoss?) { if let loss { report(.full(loss)) } }

    private mutating func answer(_ change: JournalChange, _ error: (any Error)?) {
        outbox.append(.answer { change.isDone(error.map { .failure($0) } ?? .success(())) })
    }

    private mutating func answerWaiters() {
        outbox += waiters.takeReady(outcome).map(JournalStep.answer)
    }

    private func outcome(of condition: JournalWaiters.Condition) -> JournalWaiters.Outcome? {
        switch condition {
        case .committed(let number), .settled(let number):
            if number <= pending.floor ?? 0 { return .success(false) }
            if newest >= number { return .success(true) }
            if isGivenUp(number) { return .success(false) }
            if trouble != nil, condition == .settled(number) { return .success(false) }
        case .newer(let number): if newest > number { return .success(true) }
        case .room:
            if pending.hasRoom || pending.isFull || trouble != nil { return .success(true) }
        }
        return phase == .closed ? .failure(JournalError.closed) : nil
    }

    private func isGivenUp(_ number: UInt64) -> Bool {
        number <= pending.lastNumber
            && ![pending.entries, inFlight.entries].joined().contains { $0.sequence == number }
    }
}
