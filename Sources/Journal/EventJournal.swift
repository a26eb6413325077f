package import Events
import GRDB
import Synchronization

/// Events on disk: written once, read by many, each from its own cursor.
///
/// One thread writes and reads. It commits all pending events together, and those that come in the
/// meantime with the next commit. Without work it does not wake up.
package final class EventJournal: Sendable {
    package let settings: JournalSettings
    /// Requests to running sinks to resume at another cursor.
    package let requests = CursorRequests()
    let machine: JournalMachine
    private let check = JournalCheck()

    /// Opens a journal, or creates one if the file does not exist.
    ///
    /// A damaged file or a failing disk does not prevent a start: the journal reports it, and repairs the
    /// file on its own thread. It keeps events that the named durable sinks have not accepted. `report`
    /// gets notices, on the journal's thread.
    ///
    /// - Throws: ``JournalError``, for a file that is no journal, of a newer keywedge, or in use.
    package convenience init(
        opening settings: JournalSettings, sinks: Set<String> = [],
        report: @escaping @Sendable (JournalNotice) -> Void = { _ in }
    ) throws {
        try self.init(opening: settings, sinks: sinks, clock: { .now }, report: report)
    }

    init(
        opening settings: JournalSettings, sinks: Set<String>,
        clock: @escaping @Sendable () -> JournalClock.Reading,
        report: @escaping @Sendable (JournalNotice) -> Void
    ) throws {
        self.settings = settings
        let writer = JournalWriter(
            path: settings.file, retention: Retention(settings, sinks: sinks))
        machine = JournalMachine(writer, now: clock, report: report)
        let thread = try JournalThread(settings, machine, check)
        try WaitingThread.start {
            var thread = thread
            thread.run()
        }
        let epoch = epoch
        try check.start(settings.file) { [machine] damage in
            machine.change { $0.found(damage, in: epoch) }
        }
    }

    // MARK: State

    /// This life of the journal.
    package var epoch: Epoch { machine.state.withLock { $0.epoch } }

    /// Whether the file is open: before that, ``end`` is not known.
    package var isOpen: Bool { machine.state.withLock { $0.trouble == nil } }

    /// The newest event on the disk.
    package var end: Cursor {
        machine.state.withLock { Cursor(epoch: $0.epoch, sequence: $0.newest) }
    }

    /// Whether the journal accepts events.
    package var condition: JournalCondition {
        machine.state.withLock { state in
            if let trouble = state.trouble {
                let error = trouble.error(path: settings.file)
                return .trouble("\(error)", waiting: state.pending.entries.count)
            }
            return state.pending.isFull || state.pending.isLosing ? .full : .open
        }
    }

    /// Changes how much is kept, and the durable sinks whose events are kept, in the same file.
    package func keep(by settings: JournalSettings, for sinks: Set<String>) {
        machine.change { $0.keep(Retention(settings, sinks: sinks)) }
    }

    // MARK: Writing

    /// The number for the next event; no other event ever gets it.
    package func nextSequence() -> UInt64 {
        machine.change { [machine] in $0.nextNumber { machine.now().wall } }
    }

    /// Enqueues an event without waiting; its number, from ``nextSequence()``, must be higher than
    /// those of all events before it.
    package func append(_ entry: JournalEntry) { machine.change { $0.append(entry) } }

    /// Returns once there is room for more events, or the disk fails: a source that can wait, such as a
    /// recording, must call this before each event so that none is given up.
    ///
    /// - Throws: `CancellationError`; ``JournalError/closed``.
    package func room() async throws { _ = try await wait(for: .room) }

    /// Returns once the event with a number is on the disk.
    ///
    /// - Returns: Whether it is on the disk.
    /// - Throws: `CancellationError`; ``JournalError/closed``.
    @discardableResult package func committed(_ sequence: UInt64) async throws -> Bool {
        try await wait(for: .committed(sequence))
    }

    /// Like ``committed(_:)``, but returns false as soon as the disk fails, though the event may still be
    /// written later.
    @discardableResult package func settled(_ sequence: UInt64) async throws -> Bool {
        try await wait(for: .settled(sequence))
    }

    /// Returns once an event with a higher number is on the disk.
    ///
    /// - Throws: `CancellationError`; ``JournalError/closed``.
    package func more(after sequence: UInt64) async throws {
        _ = try await wait(for: .newer(sequence))
    }

    /// Writes what is pending and closes the file.
    ///
    /// - Returns: How many events could not be written.
    @discardableResult package func close() async -> Int {
        machine.change { $0.end() }
        // No event has this number: the wait ends when the journal is closed.
        _ = await Task { try await wait(for: .newer(.max)) }.result
        return machine.state.withLock { $0.pending.entries.count }
    }

    /// Has the journal's thread call `answer`, also while it waits to try a failing disk again.
    ///
    /// The call does not come while the thread is stuck in a system call, nor once the journal is
    /// closed.
    package func ping(_ answer: @escaping @Sendable () -> Void) {
        machine.change { _ = $0.wait(for: .ping, id: $0.newWaiter()) { _ in answer() } }
    }

    private func wait(for condition: JournalWriter.Condition) async throws -> Bool {
        let id = machine.state.withLock { $0.newWaiter() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = machine.change { state -> Result<Bool, any Error>? in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    return state.wait(for: condition, id: id) { continuation.resume(with: $0) }
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            machine.state.withLock { $0.removeWaiter(id) }?(.failure(CancellationError()))
        }
    }

    // MARK: Readers

    /// Sets how far a reader got; it is on the disk when this returns.
    ///
    /// While the disk fails, this waits until it recovers.
    ///
    /// - Throws: ``JournalError/unknownEpoch(_:)``, ``JournalError/cursorAhead(_:end:)``,
    ///   ``JournalError/closed``.
    package func move(_ reader: JournalReader, to cursor: Cursor) async throws {
        try await withCheckedThrowingContinuation { continuation in
            move(reader, to: cursor) { continuation.resume(with: $0) }
        }
    }

    /// The same without waiting; `isDone` gets the outcome, on the journal's thread.
    package func move(
        _ reader: JournalReader, to cursor: Cursor,
        isDone: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        let given = machine.state.withLock { $0.numbers.last }
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

    /// Forgets a reader, without waiting; `isDone` gets the outcome, on the journal's thread.
    package func forget(
        _ reader: JournalReader, isDone: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        enqueue(
            JournalChange(apply: { db, _ in try CursorRow.remove(reader, db) }, isDone: isDone))
    }

    /// Adds an event to the dead letters and moves the sink's cursor past it, in one commit.
    ///
    /// `reason` has the other side's words, unchanged.
    ///
    /// - Throws: ``JournalError/closed``.
    package func addDeadLetter(
        _ entry: JournalEntry, of sink: String, reason: String, at time: EventTime
    ) async throws {
        try await change(letterSize: DeadLetterRow.size(entry, sink, reason)) { db, _ in
            try DeadLetterRow.add(entry, of: sink, reason: reason, at: time, db)
            try CursorRow.set(.sink(sink), to: entry.sequence, db)
        }
    }

    /// Removes dead letters by their numbers.
    ///
    /// - Throws: ``JournalError/closed``.
    package func removeDeadLetters(_ numbers: [Int64]) async throws {
        try await change { db, _ in try DeadLetterRow.remove(numbers, db) }
    }

    /// Keeps dead letters that were sent again and refused again.
    ///
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
        let isAppended = machine.change { $0.append(change) }
        if !isAppended { change.isDone(.failure(JournalError.closed)) }
    }

    // MARK: Reading

    /// Reads committed events after a cursor, or from the oldest on, in their order.
    ///
    /// - Returns: The events, and what is missing between the cursor and them.
    /// - Throws: ``JournalError``; a later try may succeed.
    package func page(after cursor: Cursor?, limit: Int) async throws -> JournalPage {
        try await read { try PageReading($0).page(after: cursor, limit: limit) }
    }

    /// How far a reader got; nil for one the journal has never seen.
    ///
    /// - Throws: ``JournalError``; a later try may succeed.
    package func cursor(of reader: JournalReader) async throws -> Cursor? {
        try await read { db in
            let epoch = try JournalState(db).epoch
            return try CursorRow.sequence(of: reader, db).map {
                Cursor(epoch: epoch, sequence: $0)
            }
        }
    }

    /// The cursor before the oldest event.
    ///
    /// - Throws: ``JournalError``; a later try may succeed.
    package func oldest() async throws -> Cursor { try await read { try JournalState($0).oldest } }

    /// All readers, and how far each got.
    ///
    /// - Throws: ``JournalError``; a later try may succeed.
    package func cursors() async throws -> [JournalReader: Cursor] {
        try await read { db in
            let epoch = try JournalState(db).epoch
            return try CursorRow.all(db).mapValues { Cursor(epoch: epoch, sequence: $0) }
        }
    }

    /// Reads dead letters of a sink, or of all, after a number, in the order in which they were refused.
    ///
    /// With `isToBeSent`, it reads only those that someone asked to send again.
    ///
    /// - Throws: ``JournalError``; a later try may succeed.
    package func deadLetters(
        of sink: String?, toBeSent isToBeSent: Bool = false, after number: Int64 = 0, limit: Int
    ) async throws -> [DeadLetter] {
        try await read { db in
            try DeadLetterRow.letters(
                of: sink, toBeSent: isToBeSent, after: number, limit: limit, db)
        }
    }

    /// Returns once the whole journal has been read; damage is repaired with the next commit.
    package func checked() async { await check.ended() }

    /// Reads in one state of the file; a cancelled task does not wait for a commit under way.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let path = settings.file
        let (values, value) = AsyncThrowingStream<Value, any Error>.makeStream()
        let isAppended = machine.change { state in
            state.append { store in
                do {
                    value.yield(try store.get().queue.read(body))
                    value.finish()
                    return nil
                } catch {
                    let trouble = JournalTrouble(error)
                    value.finish(throwing: trouble.error(path: path))
                    if case .damage(let damage) = trouble { return damage }
                    return nil
                }
            }
        }
        guard isAppended else { throw JournalError.closed }
        for try await value in values { return value }
        throw CancellationError()
    }
}
