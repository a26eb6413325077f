package import Events
import GRDB
import Synchronization

/// Events on disk: written once, read by many, each from its own cursor.
///
/// One thread writes and reads. It commits all pending events together, and sleeps without work.
///
/// Whatever waits throws `CancellationError`, and ``JournalError/closed`` once the journal is closed. A
/// read also throws another ``JournalError`` while the disk fails; a later try may succeed.
package final class EventJournal: Sendable {
    package let settings: JournalSettings
    package let requests = CursorRequests()
    let writer: SharedWriter
    private let check = BackgroundCheck()

    /// Opens a journal, or creates one if the file does not exist.
    ///
    /// A damaged file or a failing disk does not prevent a start: the journal reports and repairs it.
    /// It keeps events that the durable `sinks` have not accepted, and calls `report` on its own thread.
    ///
    /// - Throws: ``JournalError``, for a file that is no journal, of a newer keywedge, or in use.
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
        try check.start(settings.file) { [writer, epoch] damage in
            writer.change { $0.found(damage, in: epoch) }
        }
    }

    // MARK: State

    package var epoch: Epoch { writer.state.withLock { $0.epoch } }

    /// Whether the file is open; until then ``end`` is not known.
    package var isOpen: Bool { writer.state.withLock { $0.trouble == nil } }

    /// The newest event on the disk.
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

    /// Changes how much is kept, and the durable sinks whose events are kept, in the same file.
    package func keep(by settings: JournalSettings, for sinks: Set<String>) {
        writer.change { $0.keep(Retention(settings: settings, sinks: sinks)) }
    }

    // MARK: Writing

    /// The number for the next event; no other event ever gets it.
    package func nextSequence() -> UInt64 {
        writer.change { [writer] in $0.numbers.next { writer.now().wall } }
    }

    /// Enqueues an event; its number, from ``nextSequence()``, must be above those of all before it.
    package func append(_ entry: JournalEntry) { writer.change { $0.append(entry) } }

    /// Returns once there is room, or the disk fails; a source that can wait calls this before each event.
    package func room() async throws { _ = try await wait(for: .room) }

    /// Waits until an event is on the disk or was given up; returns whether it is on the disk.
    @discardableResult package func committed(_ sequence: UInt64) async throws -> Bool {
        try await wait(for: .committed(sequence))
    }

    /// Like ``committed(_:)``, but returns false once the disk fails, though it may write the event later.
    @discardableResult package func settled(_ sequence: UInt64) async throws -> Bool {
        try await wait(for: .settled(sequence))
    }

    /// Returns once an event with a higher number is on the disk.
    package func more(after sequence: UInt64) async throws {
        _ = try await wait(for: .newer(sequence))
    }

    /// Writes what is pending and closes the file; returns how many events could not be written.
    @discardableResult package func close() async -> Int {
        writer.change { $0.end() }
        // No event has this number: the wait ends when the journal is closed.
        _ = await Task { try await wait(for: .newer(.max)) }.result
        return writer.state.withLock { $0.pending.entries.count }
    }

    /// Has the journal's thread call `answer`, also while it waits to try a failing disk again, but not
    /// while it is stuck in a system call, nor once the journal is closed.
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

    /// Sets how far a reader got; it is on the disk when this returns.
    ///
    /// - Throws: ``JournalError/unknownEpoch(_:)``, ``JournalError/cursorAhead(_:end:)``.
    package func move(_ reader: JournalReader, to cursor: Cursor) async throws {
        try await withCheckedThrowingContinuation { continuation in
            move(reader, to: cursor) { continuation.resume(with: $0) }
        }
    }

    /// The same without waiting; `isDone` gets the outcome, on the journal's thread.
    package func move(
        _ reader: JournalReader, to cursor: Cursor, isDone: @escaping CursorRequests.Completion
    ) {
        let given = writer.state.withLock { $0.numbers.last }
        let apply: JournalChange.Application = { db, bounds in
            // A reader may have seen an event live that the journal gave up: its number is not ahead.
            let end = cursor.sequence <= given ? bounds.newest.sequence : .max
            let place = Cursor(epoch: cursor.epoch, sequence: min(cursor.sequence, end))
            try CursorRow(reader: reader, sequence: bounds.sequence(of: place, db)).write(db)
        }
        enqueue(JournalChange(apply: apply, isDone: isDone))
    }

    /// Forgets a reader, without waiting; `isDone` gets the outcome, on the journal's thread.
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

    /// Removes dead letters that were sent again and accepted, and keeps those that were refused again.
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

    /// Reads committed events after a cursor, or from the oldest on, in their order.
    package func page(after cursor: Cursor?, limit: Int) async throws -> JournalPage {
        try await read { try PageReading($0).page(after: cursor, limit: limit) }
    }

    /// How far a reader got; nil for one the journal has never seen.
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

    /// Reads dead letters of a sink, or of all; with `isToBeSent`, only those to be sent again.
    package func deadLetters(
        of sink: String?, toBeSent isToBeSent: Bool = false, limit: Int
    ) async throws -> [DeadLetter] {
        try await read { try DeadLetter.page(of: sink, toBeSent: isToBeSent, limit: limit, $0) }
    }

    /// Returns once the whole journal has been read; damage is repaired with the next commit.
    package func checked() async { await check.ended() }

    /// Reads in one state of the file; a cancelled task does not wait for a commit under way.
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
