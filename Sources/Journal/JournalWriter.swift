import Dispatch
import Events
import Synchronization

/// What the writing thread does: commits what is pending, and mends what is damaged.
struct JournalWriter: Sendable {
    private let path: String
    private var store: JournalStore?
    /// Why there is no store yet.
    private(set) var trouble: JournalTrouble?
    /// The epoch, also of a journal that could not be opened yet.
    private(set) var epoch: Epoch
    /// The numbers as they are at the start.
    private(set) var numbers: SequenceNumbers

    /// Opens a file, as far as that can be done at once.
    ///
    /// - Throws: ``JournalError``, for a file that must be left alone.
    init(opening path: String) throws {
        self.path = path
        do {
            var store = try JournalStore(opening: path)
            let end = store.state.reserved + SequenceNumbers.blockSize
            numbers = SequenceNumbers(after: store.state.reserved)
            epoch = store.state.epoch
            _ = try store.commit([], reserved: end)
            numbers.reserve(upTo: end)
            self.store = store
        } catch let trouble as JournalTrouble {
            if case .refusal(let error) = trouble { throw error }
            self.trouble = trouble
            store = nil
            epoch = .new()
            numbers = SequenceNumbers(after: 0)
        }
    }

    /// The newest event that is on the disk, or that may be.
    var newest: UInt64 { store?.state.newest.sequence ?? numbers.last }

    /// Why nothing is written, for whoever reads.
    var firstTrouble: JournalError? { trouble?.error(path: path) }

    private struct Batch {
        var entries: [JournalEntry]
        var changes: [JournalChange]
        var wanted: UInt64?
        var isEnding: Bool
    }

    /// Writes until the journal is closed.
    mutating func run(for journal: EventJournal) {
        while let batch = next(journal) {
            do {
                try write(batch, journal)
            } catch {
                fail(JournalTrouble(error), batch, journal)
            }
            if batch.isEnding { break }
        }
        end(journal)
    }

    /// Waits until there is something to write, or the journal is to be closed.
    private func next(_ journal: EventJournal) -> Batch? {
        while true {
            let now = ContinuousClock.now
            let (batch, deadline) = journal.state.withLock {
                state -> (Batch?, ContinuousClock.Instant?) in
                let isPausing = state.retryAt.map { $0 > now } ?? false
                if state.isEnding || state.hasWork && !isPausing {
                    let (entries, changes) = state.pending.take()
                    let batch = Batch(
                        entries: entries, changes: changes, wanted: state.numbers.wanted,
                        isEnding: state.isEnding)
                    return (batch, nil)
                }
                state.isAsleep = true
                return (nil, isPausing ? state.retryAt : nil)
            }
            if let batch { return batch }
            sleep(journal, until: deadline, now)
        }
    }

    private func sleep(
        _ journal: EventJournal, until deadline: ContinuousClock.Instant?,
        _ now: ContinuousClock.Instant
    ) {
        guard let deadline else {
            journal.bell.wait()
            return
        }
        let nanoseconds = Int((deadline - now) / .nanoseconds(1))
        _ = journal.bell.wait(timeout: .now() + .nanoseconds(nanoseconds))
    }

    private mutating func write(_ batch: Batch, _ journal: EventJournal) throws {
        guard var store else { throw trouble ?? .failure("it is not open") }
        let refused = try store.commit(
            batch.entries, batch.changes, reserved: batch.wanted)
        self.store = store
        note(batch, store.state, journal)
        for (index, change) in batch.changes.enumerated() {
            change.isDone(refused[index].map { .failure($0) } ?? .success(()))
        }
    }

    /// Tells whoever waits that a batch is on the disk.
    private func note(_ batch: Batch, _ stored: JournalState, _ journal: EventJournal) {
        let (waiters, wasInTrouble) = journal.state.withLock { state in
            state.newest = stored.newest.sequence
            state.epoch = stored.epoch
            if let wanted = batch.wanted { state.numbers.reserve(upTo: wanted) }
            state.pending.noteSuccess()
            defer {
                state.trouble = nil
                state.retryAt = nil
            }
            return (state.takeWaiters(upTo: state.newest), state.trouble != nil)
        }
        for waiter in waiters { waiter.continuation.resume() }
        if wasInTrouble { journal.tell(.recovered) }
    }

    private func fail(_ trouble: JournalTrouble, _ batch: Batch, _ journal: EventJournal) {
        let error = trouble.error(path: path)
        let isNew = journal.state.withLock { state in
            let pause = state.pending.takeBack(batch.entries, batch.changes)
            state.retryAt = .now + pause
            defer { state.trouble = error }
            return state.trouble == nil
        }
        if isNew { journal.tell(.failing(reason: "\(error)")) }
    }

    private mutating func end(_ journal: EventJournal) {
        if var store {
            let last = journal.state.withLock { $0.numbers.last }
            // In order: no number is skipped at the next start.
            _ = try? store.commit([], reserved: last)
            store.close()
        }
        store = nil
        journal.readings.end()
        let (waiters, changes) = journal.state.withLock { state in
            state.isClosed = true
            return (state.takeWaiters(upTo: .max), state.pending.changes)
        }
        for waiter in waiters { waiter.continuation.resume(throwing: JournalError.closed) }
        for change in changes { change.isDone(.failure(JournalError.closed)) }
    }
}

extension EventJournal.State {
    /// Takes out who waits for a number, or a smaller one.
    mutating func takeWaiters(upTo sequence: UInt64) -> [EventJournal.Waiter] {
        let ready = waiters.filter { $0.value.sequence <= sequence }
        for id in ready.keys { waiters.removeValue(forKey: id) }
        return ready.values.sorted { $0.sequence < $1.sequence }
    }
}
