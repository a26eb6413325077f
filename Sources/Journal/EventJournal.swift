package import Events
import GRDB
import Synchronization
import WireText

/// A store of events on disk for several readers, each with its own cursor.
///
/// A single thread writes and reads; it commits all pending events together.
///
/// Methods that wait or read throw `CancellationError` if the task is cancelled, and ``JournalError/closed`` if the
/// journal is closed. Reading throws another ``JournalError`` if the disk fails; a later try may succeed.
package final class EventJournal: Sendable {
    package let settings: JournalSettings
    package let requests = CursorRequests()
    let writer: SharedWriter
    private let check = BackgroundCheck()

    /// Opens a journal, or creates one if the file does not exist.
    ///
    /// Opening succeeds even if the file is damaged, or if the disk fails, is full or is read-only: the journal then
    /// repairs the file or tries again. The journal keeps events until the durable `sinks` have accepted them, unless
    /// it is full. It calls `report` on its own thread.
    ///
    /// - Throws: ``JournalError`` if the file is not a journal, is in use or comes from a newer keywedge.
    package init(
        opening settings: JournalSettings, sinks: Set<String> = [],
        report: @escaping @Sendable (JournalNotice) -> Void = { _ in },
        clock: @escaping @Sendable () -> ClockReading = { .now }
    ) throws {
        self.settings = settings
        let retention = Retention(settings: settings, sinks: sinks)
        writer = SharedWriter(
            JournalWriter(path: settings.file, retention: retention), now: clock, report: report)
        let thread = try JournalThread(settings.file, writer, check)
        try WaitingThread.start { thread.run() }
    }

    // MARK: State

    package var epoch: Epoch { writer.state.withLock { $0.epoch } }

    /// Whether the file can be written; until this is first true, ``epoch`` and ``end`` may be wrong.
    package var isOpen: Bool { writer.state.withLock { $0.trouble == nil } }

    /// The cursor of the newest event on disk.
    package var end: Cursor {
        writer.state.withLock { Cursor(epoch: $0.epoch, sequence: $0.newest) }
    }

    package var condition: JournalCondition {
        writer.state.withLock { state in
            if let trouble = state.trouble {
                return .trouble("\(trouble)", waiting: state.pending.entries.count)
            }
            return state.pending.isFull || state.pending.isLosing ? .full : .open
        }
    }

    /// Applies a new set of durable sinks, and new settings except for the file's path.
    package func keep(by settings: JournalSettings, for sinks: Set<String>) {
        writer.change { $0.keep(Retention(settings: settings, sinks: sinks)) }
    }

    // MARK: Writing

    /// Returns a new event number, which is higher than all earlier ones and never reused.
    package func nextSequence() -> UInt64 {
        writer.change { [writer] in $0.numbers.next { writer.now().wall } }
    }

    /// Enqueues an event, numbered by ``nextSequence()``; events must be enqueued in the order of their numbers.
    package func append(_ entry: JournalEntry) { writer.change { $0.append(entry) } }

    /// Waits until the queue has room; returns early if the journal is full or writing fails.
    package func room() async throws { _ = try await wait(for: .room) }

    /// Waits until an event is on disk or has been dropped; returns whether it is on disk.
    @discardableResult package func committed(_ sequence: UInt64) async throws -> Bool {
        try await wait(for: .committed(sequence))
    }

    /// Waits like ``committed(_:)``, but stops and returns false if writing fails; the event may be written later.
    @discardableResult package func settled(_ sequence: UInt64) async throws -> Bool {
        try await wait(for: .settled(sequence))
    }

    /// Waits until an event with a number above `sequence` is on disk.
    package func more(after sequence: UInt64) async throws {
        _ = try await wait(for: .newer(sequence))
    }

    /// Writes the pending events and closes the file; returns how many could not be written.
    @discardableResult package func close() async -> Int {
        writer.change { $0.end() }
        // No event has this number, so the wait ends when the journal is closed.
        _ = await Task { try await wait(for: .newer(.max)) }.result
        return writer.state.withLock { $0.pending.entries.count }
    }

    /// Makes the journal's thread call `answer`, even if writing fails.
    ///
    /// The thread does not call `answer` while a system call hangs, or after the journal is closed.
    package func ping(_ answer: @escaping @Sendable () -> Void) {
        writer.change { $0.ping(answer) }
    }

    private func wait(for condition: JournalWaiters.Condition) async throws -> Bool {
        let id = writer.state.withLock { $0.waiters.newID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = writer.change { state -> JournalWaiters.Outcome? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    return state.wait(for: condition, id: id) { continuation.resume(with: $0) }
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            writer.state.withLock { $0.waiters.remove(id) }?(.failure(CancellationError()))
        }
    }

    // MARK: Readers

    /// Sets a reader's cursor, and waits until it is on disk.
    ///
    /// - Throws: ``JournalError/unknownEpoch(_:)``, or ``JournalError/cursorAhead(_:end:)`` for a future event.
    package func move(_ reader: JournalReader, to cursor: Cursor) async throws {
        try await withCheckedThrowingContinuation { continuation in
            move(reader, to: cursor) { continuation.resume(with: $0) }
        }
    }

    /// Sets a reader's cursor without waiting, and calls `isDone` with the outcome on any thread.
    package func move(
        _ reader: JournalReader, to cursor: Cursor, isDone: @escaping CursorRequests.Completion
    ) {
        let given = writer.state.withLock { $0.numbers.last }
        let apply: JournalChange.Application = { db, bounds in
            // A reader may have received an event that the journal then dropped, so accept the cursor of that event.
            let end = cursor.sequence <= given ? bounds.newest.sequence : .max
            let place = Cursor(epoch: cursor.epoch, sequence: min(cursor.sequence, end))
            try CursorRow(reader: reader, sequence: bounds.sequence(of: place, db)).write(db)
        }
        enqueue(JournalChange(apply: apply, isDone: isDone))
    }

    /// Removes a reader's cursor without waiting, and calls `isDone` with the outcome on any thread.
    package func forget(_ reader: JournalReader, isDone: @escaping CursorRequests.Completion) {
        enqueue(JournalChange(apply: { db, _ in try CursorRow.remove(reader, db) }, isDone: isDone))
    }

    /// Adds an event to the dead letters and moves the sink's cursor past it, in one commit.
    package func addDeadLetter(
        _ entry: JournalEntry, of sink: String, reason: String, at time: EventTime
    ) async throws {
        let letter = DeadLetter(
            number: 0, sink: sink, entry: entry, reason: reason, refused: time, isToBeSent: false)
        try await change(addsDeadLetter: true) { db, _ in
            try letter.write(db)
            try CursorRow(reader: .sink(sink), sequence: entry.sequence).write(db)
        }
    }

    /// Removes the accepted dead letters; the refused ones are no longer marked to be sent again.
    package func settleDeadLetters(accepted: [Int64], refused: [Int64]) async throws {
        try await change { db, _ in
            try DeadLetter.remove(accepted, db)
            try DeadLetter.mark(refused, isToBeSent: false, db)
        }
    }

    private func change(
        addsDeadLetter: Bool = false, _ apply: @escaping JournalChange.Application
    ) async throws {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                JournalChange(apply: apply, addsDeadLetter: addsDeadLetter) {
                    continuation.resume(with: $0)
                })
        }
    }

    private func enqueue(_ change: JournalChange) {
        if !writer.change({ $0.append(change) }) { change.isDone(.failure(JournalError.closed)) }
    }

    // MARK: Reading

    /// Reads up to `limit` committed events after `cursor`, or the oldest if `cursor` is nil.
    package func page(after cursor: Cursor?, limit: Int) async throws -> JournalPage {
        try await read { try PageReading($0).page(after: cursor, limit: limit) }
    }

    package func cursor(of reader: JournalReader) async throws -> Cursor? {
        try await cursors()[reader]
    }

    package func cursors() async throws -> [JournalReader: Cursor] {
        try await read(JournalBounds.cursors)
    }

    package func oldest() async throws -> Cursor { try await read { try JournalBounds($0).oldest } }

    package func survey() async throws -> JournalSurvey {
        try await read { [path = settings.file] in try JournalSurvey($0, path: path) }
    }

    /// Reads up to `limit` dead letters of a sink, oldest first; if `sink` is nil, reads those of all sinks.
    ///
    /// If `isToBeSent` is true, reads only dead letters that are marked to be sent again.
    package func deadLetters(
        of sink: String?, toBeSent isToBeSent: Bool = false, limit: Int
    ) async throws -> [DeadLetter] {
        try await read { try DeadLetter.page(of: sink, toBeSent: isToBeSent, limit: limit, $0) }
    }

    /// Waits for the end of the background check, which starts when the journal opens.
    package func checked() async { await check.ended() }

    /// Reads a consistent snapshot of the file; a cancelled task does not wait for a commit in progress.
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let (values, value) = AsyncThrowingStream<Value, any Error>.makeStream()
        let reading: JournalStep.Reading = { [path = settings.file] database in
            do {
                value.yield(try database.get().queue.read(body))
                value.finish()
                return nil
            } catch {
                let error = JournalError(error, path: path)
                value.finish(throwing: error)
                return error.damage
            }
        }
        guard writer.change({ $0.append(reading) }) else { throw JournalError.closed }
        for try await value in values { return value }
        throw CancellationError()
    }
}
