package import Events
import GRDB
import Synchronization

extension EventJournal {
    /// Sets how far a reader got; it is on the disk when this returns.
    ///
    /// - Parameters:
    ///   - reader: The reader.
    ///   - cursor: Behind the last event that it took.
    /// - Throws: ``JournalError/unknownEpoch(_:)``, ``JournalError/closed``. Where the disk takes
    ///   nothing, it waits until the disk does.
    package func move(_ reader: JournalReader, to cursor: Cursor) async throws {
        try await withCheckedThrowingContinuation { continuation in
            move(reader, to: cursor) { continuation.resume(with: $0) }
        }
    }

    /// The same without waiting; `isDone` gets the outcome, on a thread of the journal.
    package func move(
        _ reader: JournalReader, to cursor: Cursor,
        isDone: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        let given = state.withLock { $0.numbers.last }
        let change = JournalChange(
            apply: { db, state in
                var cursor = cursor
                // A live event that was given up is not in the journal, though its number is not ahead.
                if cursor.sequence <= given {
                    cursor = Cursor(
                        epoch: cursor.epoch, sequence: min(cursor.sequence, state.newest.sequence))
                }
                try CursorRow.set(reader, to: state.sequence(of: cursor, db), db)
            }, isDone: isDone)
        enqueue(change)
    }

    /// Forgets a reader.
    ///
    /// - Parameter reader: The reader.
    /// - Throws: ``JournalError/closed``.
    package func forget(_ reader: JournalReader) async throws {
        try await change { db, _ in try CursorRow.remove(reader, db) }
    }

    /// Puts an event among the dead letters, and the sink's cursor behind it, in one commit.
    ///
    /// - Parameters:
    ///   - entry: The event.
    ///   - sink: The sink that refuses it.
    ///   - reason: Why: what the other side said, as it is.
    ///   - time: When.
    /// - Throws: ``JournalError/closed``.
    package func addDeadLetter(
        _ entry: JournalEntry, of sink: String, reason: String, at time: EventTime
    ) async throws {
        try await change(letterSize: DeadLetterRow.size(entry, sink, reason)) { db, _ in
            try DeadLetterRow.add(entry, of: sink, reason: reason, at: time, db)
            try CursorRow.set(.sink(sink), to: entry.sequence, db)
        }
    }

    /// Takes dead letters away.
    ///
    /// - Parameter numbers: Their numbers.
    /// - Throws: ``JournalError/closed``.
    package func removeDeadLetters(_ numbers: [Int64]) async throws {
        try await change { db, _ in try DeadLetterRow.remove(numbers, db) }
    }

    /// Keeps dead letters that were sent again and refused again.
    ///
    /// - Parameter numbers: Their numbers.
    /// - Throws: ``JournalError/closed``.
    package func keepDeadLetters(_ numbers: [Int64]) async throws {
        try await change { db, _ in try DeadLetterRow.mark(numbers, isToBeSent: false, db) }
    }

    private func change(
        letterSize: UInt64 = 0,
        _ apply: @escaping @Sendable (Database, JournalState) throws -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                JournalChange(apply: apply, letterSize: letterSize) {
                    continuation.resume(with: $0)
                })
        }
    }

    private func enqueue(_ change: JournalChange) {
        let isTaken = self.change { state in
            guard !state.isClosed else { return false }
            state.pending.append(change)
            return true
        }
        if !isTaken { change.isDone(.failure(JournalError.closed)) }
    }
}
