import GRDB
import Glibc

/// A journal as a command sees it, while a daemon may have it open.
///
/// Reading disturbs nobody. A sink's cursor can be changed only while no daemon has the journal, since the
/// daemon would continue from where it is.
package struct OfflineJournal: Sendable {
    private let path: String
    private let queue: DatabaseQueue

    /// Opens a journal that exists.
    ///
    /// - Throws: ``JournalError``.
    package init(reading path: String) throws {
        guard JournalExchange(unfinishedAt: path) == nil else {
            throw JournalError.failed(
                path: path, reason: "it is being replaced; a daemon that starts finishes that")
        }
        guard access(path, F_OK) == 0 else { throw JournalError.missing(path: path) }
        self.path = path
        do {
            if let damage = try JournalSchema.recognize(path) { throw damage }
            queue = try JournalConnection.reading(path: path)
            switch try queue.read(JournalSchema.find) {
            case .journal(let schema) where schema > JournalSchema.version:
                throw JournalError.newerSchema(
                    path: path, found: schema, supported: JournalSchema.version)
            case .journal(let schema) where schema < JournalSchema.version:
                throw JournalError.failed(
                    path: path,
                    reason: "it is of an earlier keywedge; a daemon that starts converts it")
            case .journal: break
            case .nothing, .somethingElse: throw JournalError.notAJournal(path: path)
            }
        } catch {
            throw JournalError(error, path: path)
        }
    }

    // MARK: Reading

    /// Calls `body` with the events from the oldest on, in one state of the journal.
    ///
    /// - Returns: How many have changed on the disk, and were left out.
    /// - Throws: ``JournalError``, and what `body` throws.
    package func forEach(_ body: (JournalEntry) throws -> Void) throws -> Int {
        try read { db in
            var skipped = 0
            var scan = RowScan()
            while let rows = scan.next(db) {
                for found in rows {
                    if let row = found.row { try body(row.entry) } else { skipped += 1 }
                }
            }
            return skipped
        }
    }

    /// Reads the whole journal, and calls `report` with what is wrong.
    ///
    /// - Returns: How many events there are.
    /// - Throws: ``JournalError`` if it cannot be read at all.
    package func verify(_ report: @escaping (JournalFinding) -> Void) throws -> Int {
        try read { db in
            var verification = JournalVerification(report)
            verification.run(db)
            return verification.count
        }
    }

    /// Calls `body` with each dead letter of a sink, or of all, in the order in which they were refused.
    ///
    /// - Throws: ``JournalError``, and what `body` throws.
    package func forEachDeadLetter(
        of sink: String?, _ body: (DeadLetter) throws -> Void
    ) throws {
        try read { try DeadLetterRow.forEach(of: sink, $0, body) }
    }

    /// The number of dead letters of each sink that has any.
    package func deadLetterCounts() throws -> [String: Int] { try read(DeadLetterRow.counts) }

    /// All readers, and how far each got.
    package func cursors() throws -> [JournalReader: Cursor] { try read(JournalBounds.cursors) }

    /// The cursor before the oldest event.
    package func oldest() throws -> Cursor { try read { try JournalBounds($0).oldest } }

    /// How many events are newer than a cursor of this journal.
    package func count(after cursor: Cursor) throws -> Int {
        try read { db in
            let sql = "SELECT count(*) FROM event WHERE sequence > ?"
            return try Int.fetchOne(db, sql: sql, arguments: [cursor.sequence.value]) ?? 0
        }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try queue.read(body)
        } catch  where error is DatabaseError || error is Damage {
            throw JournalError(error, path: path)
        }
    }

    // MARK: Changing

    /// Removes a reader's cursor; nothing waits for it then.
    package func forget(_ reader: JournalReader) throws {
        try change { try CursorRow.remove(reader, $0) }
    }

    /// Sets how far a reader that the journal knows got.
    ///
    /// - Throws: ``JournalError``; ``JournalError/inUse(path:)`` for a sink while a daemon runs.
    package func move(_ reader: JournalReader, to cursor: Cursor) throws {
        try change(alone: reader.isSink) { db in
            try CursorRow(reader, JournalBounds(db).sequence(of: cursor, db)).write(db)
        }
    }

    /// Has a sink try dead letters again: at its next start, or once it has nothing else to do.
    package func sendAgain(_ numbers: [Int64]) throws {
        try change { try DeadLetterRow.mark(numbers, isToBeSent: true, $0) }
    }

    /// Removes dead letters.
    package func drop(_ numbers: [Int64]) throws {
        try change { try DeadLetterRow.remove(numbers, $0) }
    }

    private func change(alone: Bool = false, _ body: (Database) throws -> Void) throws {
        do {
            let marker = alone ? try JournalMarker(beside: path) : nil
            defer { withExtendedLifetime(marker) {} }
            // The last connection to close folds the log, and loses what is after damage.
            if alone, try JournalConnection.logHidesCommits(path) { throw Damage.ofLog }
            let writing = try JournalConnection.writing(path: path)
            defer { try? writing.close() }
            try writing.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    try body(db)
                    return .commit
                }
            }
        } catch {
            throw JournalError(error, path: path)
        }
    }
}
