/// Decides what the journal's thread does next: a state machine without a disk, a clock or a thread.
///
/// Callers put work in. ``next(at:)`` gives the thread one step after another, and the thread puts the
/// results back in. Times are the box's uptime in microseconds.
struct JournalWriter {
    private enum Phase: Equatable {
        /// The file is not open; it may be known to be damaged, and the epoch is that of a new one.
        case unopened(Damage?, Epoch)
        case open
        case closed
    }

    private(set) var epoch: Epoch
    private(set) var numbers = SequenceNumbers(after: 0)
    /// The newest event on the disk.
    private(set) var newest: UInt64 = 0
    /// The reason why nothing can be written at the moment.
    private(set) var trouble: JournalError?
    private(set) var retention: Retention
    private(set) var pending: PendingEvents
    private let path: String
    private var phase: Phase
    private var changes: [JournalChange] = []
    private var inFlight = JournalStep.Batch()
    private var readings: [JournalStep.Reading] = []
    private var waiters = JournalWaiters()
    private var outbox: [JournalStep] = []
    private var isAsleep = false
    private var isEnding = false
    private var hasFailedAtEnd = false
    private var pause = RetryPause()
    /// Whether nothing was written since the journal was replaced: then more damage is the disk's.
    private var isFresh = false
    /// Whether the last step wrote: then readings and retention have their turn before the next commit.
    private var hasCommitted = false
    private(set) var shrinking = Shrinking()
    /// Damage that a reader found, until no step is under way.
    private var foundDamage: Damage?

    init(path: String, epoch: Epoch = .new(), retention: Retention) {
        self.path = path
        self.epoch = epoch
        self.retention = retention
        pending = PendingEvents(retention.whenFull)
        phase = .unopened(nil, epoch)
    }

    // MARK: Work from callers

    var isClosed: Bool { phase == .closed }

    mutating func nextNumber(wall: () -> Int64) -> UInt64 { numbers.next(now: wall) }

    /// Enqueues an event, or gives it or others up.
    mutating func append(_ entry: JournalEntry) {
        guard phase != .closed else { return }
        pending.append(entry)
        if pending.isLosing { answerWaiters() }
    }

    /// Enqueues a change; returns false if the journal is closed.
    mutating func append(_ change: JournalChange) -> Bool {
        guard phase != .closed else { return false }
        changes.append(change)
        return true
    }

    /// Enqueues a reading; returns false if the journal is closed.
    mutating func append(_ reading: @escaping JournalStep.Reading) -> Bool {
        guard phase != .closed else { return false }
        readings.append(reading)
        return true
    }

    mutating func newWaiter() -> Int { waiters.newID() }

    /// Has a caller resumed once a condition holds; returns the outcome if it is known already.
    mutating func wait(
        for condition: JournalWaiters.Condition, id: Int,
        _ resume: @escaping JournalWaiters.Resumption
    ) -> JournalWaiters.Outcome? {
        if let outcome = outcome(of: condition) { return outcome }
        if condition == .ping {
            answer(.success(true), resume)
        } else {
            waiters.add(id, condition, resume)
        }
        return nil
    }

    /// Forgets a waiter, and returns its resumption unless it is resumed already.
    mutating func removeWaiter(_ id: Int) -> JournalWaiters.Resumption? { waiters.remove(id) }

    mutating func keep(_ retention: Retention) {
        self.retention = retention
        pending.policy = retention.whenFull
        shrinking.isDue = true
    }

    /// Records damage found in the file of an epoch, unless that file was put aside since.
    mutating func found(_ damage: Damage, in epoch: Epoch) {
        if phase == .open, epoch == self.epoch { foundDamage = damage }
    }

    /// Has everything written that can be, with one last try, and the file closed.
    mutating func end() { isEnding = true }

    /// Whether the thread must be woken; from then on it counts as awake.
    mutating func wake() -> Bool {
        guard isAsleep, hasWork else { return false }
        isAsleep = false
        return true
    }

    private var hasWork: Bool {
        !outbox.isEmpty || foundDamage != nil || !pending.isEmpty || !changes.isEmpty
            || !readings.isEmpty || isEnding || numbers.wanted != nil || phase != .open
            || shrinking.isDue || pending.hasLossToReport
    }

    // MARK: Steps of the thread

    /// The next thing to do.
    mutating func next(at now: Int64) -> JournalStep {
        isAsleep = false
        if let damage = foundDamage.take(), phase == .open { failed(damage, at: now) }
        answerWaiters()
        if !outbox.isEmpty { return outbox.removeFirst() }
        if let loss = pending.lossThatBegan() { return .report(.full(loss)) }
        if phase == .closed { return .end }
        let isPausing = pause.end > now && !isEnding
        if !readings.isEmpty, isPausing || phase == .open && (hasCommitted || pending.isEmpty) {
            return takeReadings()
        }
        if isEnding, hasFailedAtEnd { return .close(last: numbers.last) }
        if isPausing { return sleep(until: pause.end) }
        switch phase {
        case .unopened(nil, _): return .open
        case .unopened(let damage?, let epoch): return .replace(damage, epoch: epoch)
        case .open, .closed: return nextWhileOpen()
        }
    }

    private mutating func nextWhileOpen() -> JournalStep {
        if hasCommitted, shrinking.isDue { return retain() }
        if let wanted = numbers.wanted { return .reserve(wanted) }
        if !pending.isEmpty || !changes.isEmpty {
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

    /// The answers that need not wait for the step under way.
    mutating func takeAnswers() -> [JournalWaiters.Answer] {
        let answers = outbox.compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
        outbox.removeAll { if case .answer = $0 { true } else { false } }
        return answers
    }

    // MARK: Results of the thread's steps

    /// The file is open; it may have to be reported as another than the one before.
    mutating func opened(_ bounds: JournalBounds, _ replacement: JournalReplacement? = nil) {
        numbers.skip(to: bounds.reserved)
        use(bounds)
        if let replacement { report(.replaced(replacement)) }
    }

    /// A new journal has replaced a damaged one.
    mutating func replaced(_ bounds: JournalBounds, _ replacement: JournalReplacement) {
        use(bounds)
        recover()
        report(.replaced(replacement))
    }

    private mutating func use(_ bounds: JournalBounds) {
        phase = .open
        epoch = bounds.epoch
        newest = max(newest, bounds.newest.sequence)
        numbers.reserve(upTo: bounds.reserved)
        shrinking.isDue = true
    }

    /// The numbers for a journal that replaces one that may have given numbers up to `highest`.
    ///
    /// - Returns: The highest number that may have been given, and the number of the next event.
    mutating func numbersOfReplacement(after highest: UInt64) -> (reserved: UInt64, next: UInt64) {
        // Numbers that were given without a file are above all others.
        if numbers.last == 0 { numbers.skip(to: highest) }
        let next = pending.entries.first?.sequence ?? numbers.last + 1
        return (max(numbers.last, numbers.reserved), next)
    }

    /// The numbers are reserved, on the disk.
    mutating func reserved(upTo number: UInt64) {
        numbers.reserve(upTo: number)
        recover()
    }

    /// The batch is on the disk; `refused` has the errors of changes by their index.
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
        for (index, change) in done.enumerated() {
            answer(refused[index].map { .failure($0) } ?? .success(true), change)
        }
    }

    /// Retention has done a step.
    mutating func retained(_ outcome: Retention.Outcome, at now: Int64) {
        recover()
        report(shrinking.record(outcome, at: now))
        let hadNoRoom = pending.isFull
        pending.isFull = outcome.isFull
        if hadNoRoom { report(pending.lossThatEnded()) }
    }

    /// The file is closed.
    mutating func closed() {
        phase = .closed
        report(pending.takeLoss())
        report(shrinking.loss.take())
        answerWaiters()
        for change in inFlight.changes + changes { answer(.failure(JournalError.closed), change) }
        changes = []
        if !readings.isEmpty { outbox.append(takeReadings()) }
    }

    /// A step failed.
    mutating func failed(_ error: any Error, at now: Int64) {
        pending.takeBack(inFlight.entries)
        changes = inFlight.changes + changes
        inFlight = JournalStep.Batch()
        let trouble = JournalError(error, path: path)
        self.trouble = trouble
        if let damage = trouble.damage {
            if case .unopened(_, let epoch) = phase {
                phase = .unopened(damage, epoch)
            } else {
                phase = .unopened(damage, .new())
            }
            // A new journal can take what waits at once.
            guard isFresh else {
                isFresh = true
                return
            }
        }
        // One report for however many tries.
        if !pause.hasBegun { report(.failing(reason: "\(trouble)")) }
        pause.begin(at: now)
        hasFailedAtEnd = isEnding
    }

    private mutating func recover() {
        trouble = nil
        if pause.hasBegun { report(.recovered) }
        pause = RetryPause()
    }

    private mutating func report(_ notice: JournalNotice) { outbox.append(.report(notice)) }

    private mutating func report(_ loss: JournalLoss?) {
        if let loss { report(.full(loss)) }
    }

    private mutating func answer(_ outcome: JournalWaiters.Outcome, _ change: JournalChange) {
        answer(outcome) { change.isDone($0.map { _ in }) }
    }

    private mutating func answer(
        _ outcome: JournalWaiters.Outcome, _ resume: @escaping JournalWaiters.Resumption
    ) {
        outbox.append(.answer(JournalWaiters.Answer(resume: resume, outcome: outcome)))
    }

    private mutating func answerWaiters() {
        let answers = waiters.takeReady(outcome)
        outbox += answers.map(JournalStep.answer)
    }

    private func outcome(of condition: JournalWaiters.Condition) -> JournalWaiters.Outcome? {
        switch condition {
        case .committed(let number), .settled(let number):
            if newest >= number { return .success(true) }
            if isGivenUp(number) { return .success(false) }
            if trouble != nil, condition == .settled(number) { return .success(false) }
        case .newer(let number): if newest > number { return .success(true) }
        case .room:
            if pending.hasRoom || pending.isFull || trouble != nil { return .success(true) }
        case .ping: break
        }
        return phase == .closed ? .failure(JournalError.closed) : nil
    }

    private func isGivenUp(_ number: UInt64) -> Bool {
        number <= pending.lastNumber && !pending.entries.containsNumber(number)
            && !inFlight.entries.containsNumber(number)
    }
}
