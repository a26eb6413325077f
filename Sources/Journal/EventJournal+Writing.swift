import Dispatch
import Events
import Synchronization

/// The writing thread's side of the journal's state.
extension EventJournal {
    /// Waits until there is something to write, or the journal is closed.
    func nextBatch() -> JournalWriter.Batch? {
        while true {
            answerPings()
            let now = ContinuousClock.now
            let (batch, deadline) = state.withLock {
                state -> (JournalWriter.Batch?, ContinuousClock.Instant?) in
                let isPausing = state.retryAt.map { $0 > now } ?? false
                if state.isEnding || state.hasWork && !isPausing {
                    return (state.takeBatch(), nil)
                }
                // A ping that came since is answered in the next round.
                guard state.pings.isEmpty else { return (nil, now) }
                state.isAsleep = true
                return (nil, isPausing && state.hasWork ? state.retryAt : nil)
            }
            tellLosses()
            if let batch { return batch }
            sleep(until: deadline, now)
        }
    }

    /// Answers the pings that have come.
    func answerPings() {
        let pings = state.withLock { state in
            defer { state.pings = [] }
            return state.pings
        }
        for answer in pings { answer() }
    }

    private func sleep(
        until deadline: ContinuousClock.Instant?, _ now: ContinuousClock.Instant
    ) {
        guard let deadline else {
            wakeup.wait()
            return
        }
        let nanoseconds = Int(clamping: Int64((deadline - now) / .nanoseconds(1)))
        _ = wakeup.wait(timeout: .now() + .nanoseconds(nanoseconds))
    }

    /// The number up to which numbers should be reserved by now.
    var wantedNumbers: UInt64? { state.withLock { $0.numbers.wanted } }

    /// The number of the oldest event that waits.
    var firstPending: UInt64? { state.withLock { $0.pending.entries.first?.sequence } }

    /// Whether retention has more to remove than one step did.
    var isRetaining: Bool { state.withLock { $0.isRetaining } }

    /// Resumes the tasks that wait for events which are on the disk now.
    func note(written stored: JournalState) {
        let (waiters, wasFailing) = state.withLock { state in
            state.newest = max(state.newest, stored.newest.sequence)
            state.epoch = stored.epoch
            state.numbers.reserve(upTo: stored.reserved)
            state.pending.noteSuccess()
            let wasFailing = if case .failed? = state.trouble { true } else { false }
            state.writing = nil
            state.trouble = nil
            state.retryAt = nil
            return (state.takeWaiters(), wasFailing)
        }
        for waiter in waiters { waiter.continuation.resume() }
        if wasFailing {
            tell(.recovered)
            endLoss()
        }
    }

    /// Continues with the numbers of a file that could not be opened before.
    func goOn(behind numbers: SequenceNumbers) {
        state.withLock { $0.numbers.goOn(behind: numbers) }
    }

    /// Makes sure that no number is given that a damaged journal may have given, and returns the
    /// numbers; `highest` is the highest of that journal, nil if it cannot be read.
    func goOn(behindRemains highest: UInt64?) -> SequenceNumbers {
        let now = UInt64(max(0, self.now.microsecondsSince1970))
        return state.withLock { state in
            // Numbers that were given without a file are above all others.
            if state.numbers.last == 0 {
                state.numbers.goOn(behind: SequenceNumbers(after: highest ?? now))
            }
            return state.numbers
        }
    }

    /// Counts a file that was put aside and is closed.
    func noteReplacement() {
        state.withLock { state in
            state.replacements += 1
            state.damage = nil
        }
    }

    /// Applies the outcome of a step of retention.
    func note(_ outcome: Retention.Outcome) {
        let hasRoomAgain = state.withLock { state in
            state.isRetaining = outcome.hasMore
            state.isShrinking = outcome.isShrinking
            defer { state.pending.isFull = outcome.isFull }
            return state.pending.isFull && !outcome.isFull
        }
        if let loss = outcome.loss { tell(.full(loss)) }
        if hasRoomAgain { endLoss() }
    }

    /// Puts back a batch that could not be written, and reports the reason.
    func takeBack(_ batch: JournalWriter.Batch?, _ error: JournalError?) {
        let isNew = change { state in
            let pause = state.pending.takeBack(batch?.entries ?? [], batch?.changes ?? [])
            state.writing = nil
            guard let error else { return false }
            state.retryAt = .now + pause
            defer { state.trouble = error }
            return state.trouble == nil
        }
        if isNew, let error { tell(.failing(reason: "\(error)")) }
        tellLosses()
    }

    /// Reports at once that events are given up, and their number when that is over.
    private func tellLosses() {
        let loss = state.withLock { state -> JournalLoss? in
            guard !state.isLossTold, let loss = state.pending.takeLoss() else { return nil }
            state.isLossTold = true
            return loss
        }
        if let loss { tell(.full(loss)) }
    }

    private func endLoss() {
        let loss = state.withLock { state in
            state.isLossTold = false
            return state.pending.takeLoss()
        }
        if let loss { tell(.full(loss)) }
    }

    /// Resumes all waiting tasks with an error: nothing more is written.
    func noteEnd() {
        let (waiters, changes) = state.withLock { state in
            state.isClosed = true
            defer { state.waiters = [:] }
            return (state.waiters.values, state.pending.changes)
        }
        for waiter in waiters { waiter.continuation.resume(throwing: JournalError.closed) }
        for change in changes { change.isDone(.failure(JournalError.closed)) }
    }
}

extension EventJournal.State {
    /// Whether the writing thread has work, now or after a pause.
    var hasWork: Bool {
        !pending.isEmpty || isEnding || damage != nil || numbers.wanted != nil || isRetaining
            || pending.loss != nil && !isLossTold
    }

    mutating func takeBatch() -> JournalWriter.Batch {
        let (entries, changes) = pending.take()
        writing = entries.first?.sequence
        defer { damage = nil }
        return JournalWriter.Batch(
            entries: entries, changes: changes, wanted: numbers.wanted, isEnding: isEnding,
            damage: damage)
    }

    /// The number up to which every event is on the disk, was given up, or waits for a failing disk.
    var settled: UInt64 {
        guard trouble == nil, let first = writing ?? pending.entries.first?.sequence else {
            return max(newest, appended)
        }
        return min(first - 1, appended)
    }

    /// Whether what the waiter waits for has happened.
    func isOver(_ waiter: EventJournal.Waiter) -> Bool {
        waiter.sequence <= (waiter.isForSettled ? settled : newest)
    }

    /// Removes and returns the waiters whose wait is over.
    mutating func takeWaiters() -> [EventJournal.Waiter] {
        guard !waiters.isEmpty else { return [] }
        let ready = waiters.filter { isOver($0.value) }
        for id in ready.keys { waiters.removeValue(forKey: id) }
        return ready.values.sorted { $0.sequence < $1.sequence }
    }
}
