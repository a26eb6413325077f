import Dispatch
import Events
import Synchronization

/// The work of the writing thread: commits pending events, removes old ones, and repairs damage.
struct JournalWriter: Sendable {
    /// The time between two looks at the age of events.
    private static let agePause = Duration.seconds(60)

    private let settings: JournalSettings
    private var path: String { settings.file }
    private let sinks: Set<String>
    private var clock: JournalClock?
    private var lock: JournalLock?
    private var store: JournalStore?
    private var lastAgeCheck: ContinuousClock.Instant?
    /// What is to be reported about the file since it was opened.
    private var report: JournalReplacement?
    /// The reason why there is no store yet.
    private(set) var trouble: JournalTrouble?
    /// The epoch; of a journal that could not be opened yet, a new one.
    private(set) var epoch: Epoch
    /// The numbers at the start.
    private(set) var numbers: SequenceNumbers

    /// Opens a file; if the disk fails, the writing thread tries again.
    ///
    /// - Throws: ``JournalError``, for a file that must be left alone.
    init(opening settings: JournalSettings, sinks: Set<String>) throws {
        self.settings = settings
        self.sinks = sinks
        epoch = .new()
        numbers = SequenceNumbers(after: 0)
        do {
            try open()
        } catch {
            let trouble = JournalTrouble(error)
            if case .refusal(let error) = trouble { throw error }
            self.trouble = trouble
            store = nil
        }
    }

    /// The newest event that is on the disk, or that may be.
    var newest: UInt64 { store?.state.newest.sequence ?? numbers.last }

    /// The reason why nothing is written, for readers.
    var firstTrouble: JournalError? { trouble?.error(path: path) }

    /// Opens the file, and reserves the first numbers.
    private mutating func open() throws {
        do {
            if lock == nil {
                // Another program's file gets no lock beside it.
                try JournalFiles.refuseOthers(path)
                lock = try JournalLock(on: path)
            }
            try JournalExchange(unfinishedAt: path)?.finish()
        } catch {
            throw JournalTrouble(error)
        }
        var store = try JournalStore(opening: path)
        if let lock {
            let report: JournalReplacement?
            (self.lock, report) = try store.settle(beside: lock)
            self.report = report ?? self.report
        }
        if numbers.last < store.state.reserved {
            numbers = SequenceNumbers(after: store.state.reserved)
        }
        let end = numbers.last + SequenceNumbers.blockSize
        let clock = JournalClock(after: store.state.moment, now: .now, days: settings.keep.days)
        try store.change { try CursorRow.repair(for: sinks, $0) }
        _ = try store.commit([], reserved: end, at: clock.moment)
        self.clock = clock
        numbers.reserve(upTo: end)
        epoch = store.state.epoch
        self.store = store
        trouble = nil
    }

    /// Work that is committed together.
    struct Batch {
        let entries: [JournalEntry]
        let changes: [JournalChange]
        let wanted: UInt64?
        let isEnding: Bool
        let damage: Damage?

        static let nothing = Batch(
            entries: [], changes: [], wanted: nil, isEnding: false, damage: nil)
    }

    /// Writes until the journal is closed.
    mutating func run(for journal: EventJournal) {
        if case .failure(let reason)? = trouble { journal.tell(.failing(reason: reason)) }
        reportReplacement(journal)
        var wasReplaced = false
        while let batch = journal.nextBatch() {
            wasReplaced = !step(batch, journal) && !wasReplaced
            // Events that came while a journal was replaced still go into the new one.
            if batch.isEnding, !wasReplaced { break }
        }
        end(journal)
    }

    /// Writes a batch; returns false if it is to be tried again at once.
    private mutating func step(_ batch: Batch, _ journal: EventJournal) -> Bool {
        do {
            if let damage = batch.damage { throw JournalTrouble.damage(damage) }
            try write(batch, journal)
        } catch {
            return !fail(JournalTrouble(error), batch, journal)
        }
        do {
            try retain(journal)
            return true
        } catch {
            return !fail(JournalTrouble(error), .nothing, journal)
        }
    }

    private mutating func write(_ batch: Batch, _ journal: EventJournal) throws {
        if store == nil { try openLate(journal) }
        guard var store else { return }
        clock?.advance(to: .now, days: journal.retention.days)
        let newest = store.state.newest.sequence
        let entries = batch.entries.drop { $0.sequence <= newest }
        let wanted = batch.wanted.map { max($0, journal.wantedNumbers ?? 0) }
        let refused = try store.commit(
            Array(entries), batch.changes, reserved: wanted, at: clock?.moment)
        self.store = store
        journal.note(written: store.state)
        for (index, change) in batch.changes.enumerated() {
            change.isDone(refused[index].map { .failure($0) } ?? .success(()))
        }
    }

    /// Opens a file that could not be opened before.
    private mutating func openLate(_ journal: EventJournal) throws {
        if case .damage(let damage)? = trouble {
            try replace(damage, epoch: epoch, journal)
            return
        }
        do {
            try open()
            journal.goOn(behind: numbers)
            reportReplacement(journal)
        } catch {
            trouble = JournalTrouble(error)
            throw error
        }
    }

    private mutating func reportReplacement(_ journal: EventJournal) {
        if let report { journal.tell(.replaced(report)) }
        report = nil
    }

    private mutating func replace(
        _ damage: Damage, epoch: Epoch, _ journal: EventJournal
    ) throws {
        store?.close()
        store = nil
        trouble = .damage(damage)
        self.epoch = epoch
        journal.readings.closeConnections()
        journal.checks.closeConnections()
        let salvage = try JournalSalvage(path)
        let numbers = journal.goOn(
            behindRemains: damage.hidesTheEnd
                ? nil : lock.flatMap { $0.highest(salvage.remains.highest) })
        salvage.close()
        let given = max(numbers.last, numbers.reserved) + SequenceNumbers.blockSize
        let result = try JournalReplacing.run(
            path: path, sinks: journal.retention.sinks, damage: damage, epoch: epoch, given: given,
            below: journal.firstPending ?? numbers.last + 1, at: journal.now,
            progress: journal.answerPings)
        // A reader may have opened the old file in the meantime.
        journal.readings.closeConnections()
        journal.checks.closeConnections()
        journal.noteReplacement()
        store = result.store
        store?.lock = lock
        clock = JournalClock(after: result.store.state.moment, now: .now, days: settings.keep.days)
        trouble = nil
        journal.note(written: result.store.state)
        journal.tell(.replaced(result.replacement))
        try? lock?.record(JournalWitness(epoch: epoch, reserved: result.store.state.reserved))
    }

    /// Removes events that are too old or too many, a step at a time.
    private mutating func retain(_ journal: EventJournal) throws {
        guard var store else { return }
        let now = ContinuousClock.now
        let isDue = lastAgeCheck.map { now - $0 >= Self.agePause } ?? true
        let retention = journal.retention
        let isShrinking = journal.state.withLock { $0.isShrinking }
        let letters = try retention.removeLetters(from: &store, isShrinking: false)
        self.store = store
        if let loss = letters.loss { journal.tell(.full(loss)) }
        let isOver = retention.isOver(store.state.size, isShrinking: isShrinking)
        guard isDue || journal.isRetaining || isOver else { return }
        clock?.advance(to: .now, days: retention.days)
        guard let clock else { return }
        let outcome = try retention.removeEvents(
            from: &store, isShrinking: isShrinking, cutoff: clock.cutoff(days: retention.days))
        self.store = store
        if !outcome.hasMore { lastAgeCheck = now }
        journal.note(outcome)
    }

    /// Keeps a batch that could not be written; returns true if a new journal can take it at once.
    private mutating func fail(
        _ trouble: JournalTrouble, _ batch: Batch, _ journal: EventJournal
    ) -> Bool {
        guard case .damage(let damage) = trouble, store != nil else {
            journal.takeBack(batch, trouble.error(path: path))
            return false
        }
        journal.takeBack(batch, nil)
        do {
            try replace(damage, epoch: .new(), journal)
            return true
        } catch {
            journal.takeBack(nil, JournalTrouble(error).error(path: path))
            return false
        }
    }

    private mutating func end(_ journal: EventJournal) {
        // The last connection to close folds the log into the file, and one that reads cannot.
        journal.readings.end()
        journal.checks.end()
        if var store {
            let last = journal.state.withLock { $0.numbers.last }
            // After an end in order, the next start skips no number.
            let days = settings.keep.days
            clock?.advance(to: .now, days: days)
            _ = try? store.commit([], reserved: last, at: clock?.moment)
            store.close()
        }
        store = nil
        lock?.release()
        journal.noteEnd()
    }
}
