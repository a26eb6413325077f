import GRDB
import Glibc

/// Access to a journal for keywedge's commands, even while a daemon has it open.
///
/// Reading does not disturb the daemon. A sink's cursor can be changed only while no daemon has the journal
/// open, because the daemon would continue from its own position. Failures throw ``JournalError``.
package struct OfflineJournal: Sendable {
    private let path: String
    private let queue: DatabaseQueue

    package init(reading path: String) throws {
        guard JournalExchange(unfinishedAt: path) == nil else {
            let reason = "a crash interrupted its replacement; start the daemon, which finishes it"
            throw JournalError.failed(path: path, reason: reason)
        }
        guard access(path, F_OK) == 0 else {
            throw errno == EACCES
                ? JournalError.forbidden(path: path) : JournalError.missing(path: path)
        }
        self.path = path
        do {
            if let damage = try JournalSchema.recognize(path) { throw damage }
            queue = try JournalConnection.open(path)
            switch try queue.read({ try JournalSchema.find($0, path) }) {
            case .journal: break
            case .nothing: throw JournalError.notAJournal(path: path)
            case .former: throw JournalError.formerSchema(path: path)
            }
        } catch {
            throw JournalError(error, path: path)
        }
    }

    // MARK: Reading

    package func survey() throws -> JournalSurvey { try read { try JournalSurvey($0, path: path) } }

    /// Calls `body` with each intact event, oldest first; returns the number of damaged events.
    package func forEach(_ body: (JournalEntry) throws -> Void) throws -> Int {
        try read { db in
            var skipped = 0
            var scan = RowScan()
            while let rows = scan.next(db) {
                skipped += rows.count { $0.row == nil }
                for row in rows.compactMap(\.row) { try body(row.entry) }
            }
            return skipped
        }
    }

    /// Checks the journal and calls `found` for each problem; returns the number of all events.
    package func verify(_ found: @escaping (Damage) -> Void) throws -> Int {
        try read { db in
            var verification = JournalVerification(found: found)
            verification.run(db)
            return verification.count
        }
    }

    package func forEachDeadLetter(of sink: String?, _ body: (DeadLetter) throws -> Void) throws {
        try read { try DeadLetter.forEach(of: sink, $0, body) }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try queue.read(body)
        } catch  where error is DatabaseError || error is Damage {
            throw JournalError(error, path: path)
        }
    }

    // MARK: Changing

    package func forget(_ reader: JournalReader) throws {
        try change { try CursorRow.remove(reader, $0) }
    }

    /// Sets a reader's cursor; a sink's cursor cannot be set while a daemon uses the journal.
    package func move(_ reader: JournalReader, to cursor: Cursor) throws {
        try change(alone: reader.isSink) { db in
            let sequence = try JournalBounds(db).sequence(of: cursor, db)
            try CursorRow(reader: reader, sequence: sequence).write(db)
        }
    }

    /// Marks dead letters to be sent again; a sink sends them after it has delivered all other events.
    package func sendAgain(_ numbers: [Int64]) throws {
        try change { try DeadLetter.mark(numbers, isToBeSent: true, $0) }
    }

    package func drop(_ numbers: [Int64]) throws {
        try change { try DeadLetter.remove(numbers, $0) }
    }

    private func change(alone: Bool = false, _ body: (Database) throws -> Void) throws {
        do {
            let marker = alone ? try JournalMarker(beside: path) : nil
            defer { withExtendedLifetime(marker) {} }
            // Closing the last connection merges the log, and would lose the commits after the damage.
            if alone, try JournalConnection.logHidesCommits(path) { throw Damage.ofLog }
            let writing = try JournalConnection.open(path, toWrite: true)
            defer { try? writing.close() }
            try writing.write(body)
        } catch {
            throw JournalError(error, path: path)
        }
    }
}
