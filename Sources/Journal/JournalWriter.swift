/// Decides what the journal's thread does next: a state machine without a disk, a clock or a thread.
///
/// The public API puts work in. ``next(at:)`` gives the thread one step after another, and the thread
/// puts the results back in. Times are the box's uptime in microseconds.
struct JournalWriter {
    /// Something for the thread to do.
    enum Step: Sendable {
        case open
        case replace(Damage, epoch: Epoch)
        case commit(Batch)
        /// Remove events or dead letters if they are too many, and nil if not asked for: whether the
        /// step before found too many.
        case retain(events: Bool?, letters: Bool?)
        case read([Reading])
        case report(JournalNotice)
        case answer(Answer)
        case sleep(until: Int64?)
        /// Close the file; no number above this one was given.
        case close(reserved: UInt64)
        /// End the thread.
        case end
    }

    /// What one commit writes.
    struct Batch: Sendable {
        var entries: [JournalEntry] = []
        var changes: [JournalChange] = []
        /// The highest number that may be given from then on; nil to keep it.
        var reserved: UInt64?
    }

    /// Reads from the open file, or gets the reason why it cannot; returns the damage that it found.
    typealias Reading = @Sendable (Result<JournalStore, JournalTrouble>) -> Damage?
    typealias Resumption = @Sendable (Result<Bool, any Error>) -> Void

    /// Resumes a caller.
    struct Answer: Sendable {
        let resume: Resumption
        let result: Result<Bool, any Error>

        func give() { resume(result) }
    }

    /// What a caller waits for.
    enum Condition: Equatable, Sendable {
        /// An event is on the disk (true), or the journal gave it up (false).
        case committed(UInt64)
        /// The same, or the disk fails (false).
        case settled(UInt64)
        /// An event with a higher number is on the disk.
        case newer(UInt64)
        /// There is room for more events.
        case room
        /// The thread is alive.
        case ping
    }

    private struct Waiter {
        let condition: Condition
        let resume: Resumption
    }

    private enum Phase: Equatable {
        /// The file is not open; it may be known to be damaged, and the epoch is that of a new one.
        case unopened(Damage?, Epoch)
        case open
        case closed
    }

    /// The time between two looks at the age of events.
    private static let agePause: Int64 = 60_000_000

    let path: String
    private(set) var epoch: Epoch
    private(set) var numbers = SequenceNumbers(after: 0)
    /// The newest event on the disk.
    private(set) var newest: UInt64 = 0
    /// The reason why nothing can be written at the moment.
    private(set) var trouble: JournalTrouble?
    private(set) var retention: Retention
    private(set) var pending: PendingEvents
    private var phase: Phase
    private var changes: [JournalChange] = []
    private var inFlight = Batch()
    private var readings: [Reading] = []
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    private var outbox: [Step] = []
    private var isAsleep = false
    private var isEnding = false
    private var hasFailedAtEnd = false
    private var pause = RetryPause()
    private var isFailureReported = false
    /// Whether nothing was written since the journal was replaced: then more damage is the disk's.
    private var isFresh = false
    /// Whether the last step wrote: then readings and retention have their turn before the next commit.
    private var hasCommitted = false
    private var events = Shrinking()
    private var letters = Shrinking()
    private var nextAgeCheck = Int64.min
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
    mutating func append(_ reading: @escaping Reading) -> Bool {
        guard phase != .closed else { return false }
        readings.append(reading)
        return true
    }

    mutating func newWaiter() -> Int {
        lastWaiter += 1
        return lastWaiter
    }

    /// Has a caller resumed once a condition holds; returns the result if it is known already.
    mutating func wait(
        for condition: Condition, id: Int, _ resume: @escaping Resumption
    ) -> Result<Bool, any Error>? {
        if let result = result(of: condition) { return result }
        if condition == .ping {
            outbox.append(.answer(Answer(resume: resume, result: .success(true))))
        } else {
            waiters[id] = Waiter(condition: condition, resume: resume)
        }
        return nil
    }

    /// Forgets a waiter, and returns its resumption unless it is resumed already.
    mutating func removeWaiter(_ id: Int) -> Resumption? {
        waiters.removeValue(forKey: id)?.resume
    }

    mutating func keep(_ retention: Retention) {
        self.retention = retention
        pending.policy = retention.whenFull
        events.isDue = true
        letters.isDue = true
    }

    /// Notes damage found in the file of an epoch, unless that file was put aside since.
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
            || isRetaining || pending.hasLossToReport
    }

    // MARK: Steps of the thread

    var isClosed: Bool { phase == .closed }

    /// Whether retention has something to look at.
    var isRetaining: Bool { events.isDue || letters.isDue }

    /// The next thing to do.
    mutating func next(at now: Int64) -> Step {
        isAsleep = false
        if let damage = foundDamage.take(), phase == .open { fail(.damage(damage), at: now) }
        answerWaiters()
        if !outbox.isEmpty { return outbox.removeFirst() }
        if let loss = pending.lossThatBegan() { return .report(.full(loss)) }
        if phase == .closed { return .end }
        let isPausing = pause.end > now && !isEnding
        if !readings.isEmpty, isPausing || phase == .open && (hasCommitted || pending.isEmpty) {
            return takeReadings()
        }
        if isEnding, hasFailedAtEnd { return .close(reserved: numbers.last) }
        if isPausing { return sleep(until: pause.end) }
        switch phase {
        case .unopened(nil, _): return .open
        case .unopened(let damage?, let epoch): return .replace(damage, epoch: epoch)
        case .open, .closed: return nextWhileOpen()
        }
    }

    /// The commit that reserves the first numbers; nil if enough are reserved.
    mutating func reserveNumbers() -> Batch? {
        guard let wanted = numbers.wanted else { return nil }
        inFlight = Batch(reserved: wanted)
        return inFlight
    }

    private mutating func nextWhileOpen() -> Step {
        if hasCommitted, isRetaining { return retain() }
        if !pending.isEmpty || !changes.isEmpty || numbers.wanted != nil {
            inFlight = Batch(entries: pending.take(), changes: changes, reserved: numbers.wanted)
            changes = []
            hasCommitted = false
            return .commit(inFlight)
        }
        if isEnding { return .close(reserved: numbers.last) }
        guard isRetaining else { return sleep(until: nil) }
        return retain()
    }

    private mutating func retain() -> Step {
        hasCommitted = false
        return .retain(
            events: events.isDue ? events.isShrinking : nil,
            letters: letters.isDue ? letters.isShrinking : nil)
    }

    private mutating func takeReadings() -> Step {
        defer { readings = [] }
        return .read(readings)
    }

    private mutating func sleep(until end: Int64?) -> Step {
        isAsleep = true
        return .sleep(until: end)
    }

    /// The answers that need not wait for the step under way.
    mutating func takeAnswers() -> [Answer] {
        let answers = outbox.compactMap { if case .answer(let answer) = $0 { answer } else { nil } }
        outbox.removeAll { if case .answer = $0 { true } else { false } }
        return answers
    }

    // MARK: Results of the thread's steps

    /// The file is open; it may have to be reported as another than the one before.
    mutating func opened(_ state: JournalState, _ replacement: JournalReplacement? = nil) {
        numbers.goOn(behind: SequenceNumbers(after: state.reserved))
        use(state)
        if let replacement { outbox.append(.report(.replaced(replacement))) }
    }

    private mutating func use(_ state: JournalState) {
        phase = .open
        epoch = state.epoch
        newest = max(newest, state.newest.sequence)
        numbers.reserve(upTo: state.reserved)
        events.isDue = true
        letters.isDue = true
    }

    /// The numbers for a journal that replaces a damaged one.
    ///
    /// `highest` is the highest number that the damaged one may have given; nil if unknown.
    ///
    /// - Returns: The highest number that may be given, and the first that this process has given.
    mutating func numbersOfReplacement(
        after highest: UInt64?, wall: Int64
    ) -> (given: UInt64, first: UInt64) {
        // Numbers that were given without a file are above all others.
        if numbers.last == 0 {
            numbers.goOn(behind: SequenceNumbers(after: highest ?? UInt64(max(0, wall))))
        }
        let given = max(numbers.last, numbers.reserved) + SequenceNumbers.blockSize
        return (given, pending.entries.first?.sequence ?? numbers.last + 1)
    }

    /// A new journal has replaced a damaged one.
    mutating func replaced(_ state: JournalState, _ replacement: JournalReplacement) {
        use(state)
        recover()
        outbox.append(.report(.replaced(replacement)))
    }

    /// The batch is on the disk; `refused` has the errors of changes by their index.
    mutating func committed(_ state: JournalState, refused: [Int: any Error], at now: Int64) {
        let done = inFlight.changes
        inFlight = Batch()
        newest = max(newest, state.newest.sequence)
        numbers.reserve(upTo: state.reserved)
        isFresh = false
        hasCommitted = true
        events.isDue =
            events.isDue || now >= nextAgeCheck
            || retention.isOver(state.size, isShrinking: events.isShrinking)
        letters.isDue = letters.isDue || done.contains { $0.letterSize > 0 }
        recover()
        for (index, change) in done.enumerated() {
            let result: Result<Bool, any Error> =
                refused[index].map { .failure($0) } ?? .success(true)
            let resume: Resumption = { change.isDone($0.map { _ in }) }
            outbox.append(.answer(Answer(resume: resume, result: result)))
        }
    }

    /// Retention has done a step.
    mutating func retained(
        events outcome: Retention.Outcome?, letters lettersOutcome: Retention.Outcome?,
        at now: Int64
    ) {
        if trouble != nil { recover() }
        if let loss = lettersOutcome.flatMap({ letters.note($0) }) {
            outbox.append(.report(.full(loss)))
        }
        guard let outcome else { return }
        if let loss = events.note(outcome) { outbox.append(.report(.full(loss))) }
        if !outcome.hasMore { nextAgeCheck = now + Self.agePause }
        let hadNoRoom = pending.isFull
        pending.setFull(outcome.isFull)
        if hadNoRoom, let loss = pending.lossThatEnded() { outbox.append(.report(.full(loss))) }
    }

    /// The step failed.
    mutating func failed(_ error: any Error, at now: Int64) { fail(JournalTrouble(error), at: now) }

    /// The file is closed.
    mutating func closed() {
        phase = .closed
        for loss in [pending.takeLoss(), events.takeLoss(), letters.takeLoss()] {
            if let loss { outbox.append(.report(.full(loss))) }
        }
        let closed = Result<Bool, any Error>.failure(JournalError.closed)
        for waiter in waiters.values {
            outbox.append(.answer(Answer(resume: waiter.resume, result: closed)))
        }
        waiters = [:]
        for change in inFlight.changes + changes {
            let resume: Resumption = { change.isDone($0.map { _ in }) }
            outbox.append(.answer(Answer(resume: resume, result: closed)))
        }
        changes = []
        if !readings.isEmpty { outbox.append(takeReadings()) }
    }

    private mutating func fail(_ trouble: JournalTrouble, at now: Int64) {
        pending.takeBack(inFlight.entries)
        changes = inFlight.changes + changes
        inFlight = Batch()
        self.trouble = trouble
        if case .damage(let damage) = trouble {
            phase = .unopened(damage, epochOfReplacement)
            // A new journal can take what waits at once.
            guard isFresh else {
                isFresh = true
                return
            }
        }
        pause.begin(at: now)
        hasFailedAtEnd = isEnding
        guard !isFailureReported else { return }
        isFailureReported = true
        outbox.append(.report(.failing(reason: "\(trouble.error(path: path))")))
    }

    private var epochOfReplacement: Epoch {
        if case .unopened(_, let epoch) = phase { epoch } else { .new() }
    }

    private mutating func recover() {
        trouble = nil
        pause = RetryPause()
        if isFailureReported { outbox.append(.report(.recovered)) }
        isFailureReported = false
        if let loss = pending.lossThatEnded() { outbox.append(.report(.full(loss))) }
    }

    private mutating func answerWaiters() {
        guard !waiters.isEmpty else { return }
        let ready = waiters.compactMap { id, waiter in
            result(of: waiter.condition).map { (id, Answer(resume: waiter.resume, result: $0)) }
        }
        for (id, answer) in ready.sorted(by: { $0.0 < $1.0 }) {
            waiters.removeValue(forKey: id)
            outbox.append(.answer(answer))
        }
    }

    private func result(of condition: Condition) -> Result<Bool, any Error>? {
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
        number <= pending.lastNumber && !pending.contains(number)
            && !inFlight.entries.containsNumber(number)
    }
}
