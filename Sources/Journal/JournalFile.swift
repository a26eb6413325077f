import GRDB
import Glibc
import WireText

/// A journal as another process than the daemon sees it.
///
/// Reading disturbs nobody. How far a sink got can be changed only while no daemon has the journal
/// open, since the daemon would go on from where it is.
package struct JournalFile: Sendable {
    private let path: String
    private let queue: DatabaseQueue
    private let schema: Int

    /// Opens a journal that exists.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``JournalError``.
    package init(reading path: String) throws {
        guard JournalExchange(unfinishedAt: path) == nil else {
            throw JournalError.failed(
                path: path, reason: "it is being replaced; a daemon that starts finishes that")
        }
        guard access(path, F_OK) == 0 else { throw JournalError.missing(path: path) }
        self.path = path
        do {
            try JournalFiles.check(path)
            queue = try JournalConnection.reading(path: path)
            switch try queue.read(JournalSchema.find) {
            case .journal(let schema) where schema > JournalSchema.version:
                throw JournalError.newerSchema(
                    path: path, found: schema, supported: JournalSchema.version)
            case .journal(let schema): self.schema = schema
            case .nothing, .somethingElse: throw JournalError.notAJournal(path: path)
            }
        } catch {
            throw JournalTrouble(error).error(path: path)
        }
    }

    /// Goes through the events from the oldest on, in one state of the journal; those that have
    /// changed are left out.
    ///
    /// - Parameter body: Takes each.
    /// - Returns: How many were left out.
    /// - Throws: ``JournalError``, and what `body` throws.
    package func forEach(_ body: (JournalEntry) throws -> Void) throws -> Int {
        try read { db in
            var skipped = 0
            var position = Int64(0)
            while let rows = RowScan.nextRows(db, from: &position, schema: schema) {
                for row in rows {
                    if let row, row.isIntact {
                        try body(row.entry)
                    } else {
                        skipped += 1
                    }
                }
            }
            return skipped
        }
    }

    /// Goes through the whole journal and tells what is wrong.
    ///
    /// - Parameter tell: Takes each finding.
    /// - Returns: How many events there are.
    /// - Throws: ``JournalError`` where it cannot be read at all.
    package func verify(_ tell: @escaping (JournalFinding) -> Void) throws -> Int {
        try read { db in
            var verification = JournalVerification(schema: schema, tell)
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
        // The first schema had none.
        if schema > 1 { try read { try DeadLetterRow.forEach(of: sink, $0, body) } }
    }

    /// The number of dead letters of each sink that has any.
    ///
    /// - Throws: ``JournalError``.
    package func deadLetterCounts() throws -> [String: Int] {
        schema > 1 ? try read(DeadLetterRow.counts) : [:]
    }

    /// All readers, and how far each got.
    ///
    /// - Returns: Their cursors.
    /// - Throws: ``JournalError``.
    package func cursors() throws -> [JournalReader: Cursor] {
        try read { db in
            let epoch = try JournalState(db, schema: schema).epoch
            return try CursorRow.all(db).mapValues { Cursor(epoch: epoch, sequence: $0) }
        }
    }

    /// How many events are newer than a cursor of this journal.
    ///
    /// - Throws: ``JournalError``.
    package func count(after cursor: Cursor) throws -> Int {
        try read { db in
            let sql = "SELECT count(*) FROM event WHERE sequence > ?"
            let arguments: StatementArguments = [Int64(clamping: cursor.sequence)]
            return try Int.fetchOne(db, sql: sql, arguments: arguments) ?? 0
        }
    }

    /// Removes a reader's cursor; nothing waits for it then.
    ///
    /// - Throws: ``JournalError``.
    package func forget(_ reader: JournalReader) throws {
        try change { try CursorRow.remove(reader, $0) }
    }

    /// The cursor ahead of the oldest event there is.
    ///
    /// - Returns: The cursor.
    /// - Throws: ``JournalError``.
    package func oldest() throws -> Cursor {
        try read { try JournalState($0, schema: schema).oldest }
    }

    /// Sets how far a reader got.
    ///
    /// - Parameters:
    ///   - reader: The reader; one that the journal knows.
    ///   - cursor: Behind which event it goes on.
    /// - Throws: ``JournalError``; ``JournalError/inUse(path:)`` for a sink while a daemon runs.
    package func move(_ reader: JournalReader, to cursor: Cursor) throws {
        try change(alone: reader.isSink) { db in
            try CursorRow.set(
                reader, to: JournalState(db, schema: schema).sequence(of: cursor, db), db)
        }
    }

    /// Has a sink try dead letters again: at its next start, or once it has nothing else to do.
    ///
    /// - Parameter numbers: Their numbers.
    /// - Throws: ``JournalError``.
    package func sendAgain(_ numbers: [Int64]) throws {
        try change { try DeadLetterRow.mark(numbers, isToBeSent: true, $0) }
    }

    /// Takes dead letters away.
    ///
    /// - Parameter numbers: Their numbers.
    /// - Throws: ``JournalError``.
    package func drop(_ numbers: [Int64]) throws {
        try change { try DeadLetterRow.remove(numbers, $0) }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try queue.read(body)
        } catch let error as DatabaseError {
            throw JournalTrouble(error).error(path: path)
        } catch let error as Damage {
            throw JournalTrouble(error).error(path: path)
        }
    }

    private func change(alone: Bool = false, _ body: (Database) throws -> Void) throws {
        do {
            let lock = alone ? try JournalLock(on: path) : nil
            // Whoever closes a file last folds its log, and loses what is behind damage.
            if alone { try LogCheck.run(beside: path) }
            let writing = try JournalConnection.writing(path: path)
            defer { try? writing.close() }
            try writing.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    try body(db)
                    return .commit
                }
            }
            withExtendedLifetime(lock) {}
        } catch {
            throw JournalTrouble(error).error(path: path)
        }
    }
}

/// Something that is wrong with a journal.
package enum JournalFinding: Equatable, Sendable {
    /// An event is not as it was written.
    case changed(UInt64)
    /// Events between two others are missing; 0 for the beginning, nil for the end.
    case missing(after: UInt64, before: UInt64?)
    /// An event behind another cannot be read at all.
    case unreadable(after: UInt64)
    /// Something other than an event: what, in words.
    case other(String)
}

extension JournalFinding: CustomStringConvertible {
    /// One sentence.
    package var description: String {
        switch self {
        case .changed(let sequence): "The event \(sequence) has changed."
        case .missing(let after, let before?) where after == 0:
            "Events ahead of \(before) are missing."
        case .missing(let after, let before?):
            "Events between \(after) and \(before) are missing."
        case .missing(let after, nil): "Events behind \(after) are missing."
        case .unreadable(let after): "The event behind \(after) cannot be read."
        case .other(let text): "\(text)."
        }
    }
}

/// Goes through a whole journal: every row, and whether events are missing between them.
struct JournalVerification {
    private(set) var count = 0
    private let schema: Int
    private let tell: (JournalFinding) -> Void

    init(schema: Int, _ tell: @escaping (JournalFinding) -> Void) {
        self.schema = schema
        self.tell = tell
    }

    /// Looks at everything, in one state of the file.
    mutating func run(_ db: Database) {
        tellOfStructure(db)
        let state: JournalState?
        do {
            state = try JournalState(db, schema: schema)
        } catch {
            state = nil
            tell(.other("The journal's first row has changed"))
        }
        let last = scan(db, from: state?.removed.sequence)
        if let state, last < state.newest.sequence { tell(.missing(after: last, before: nil)) }
        tellOfReaders(db)
    }

    private func tellOfStructure(_ db: Database) {
        let found = (try? String.fetchAll(db, sql: "PRAGMA quick_check(10)")) ?? ["cannot be read"]
        for text in found where text != "ok" { tell(.other("SQLite: \(text.quoted())")) }
    }

    /// Goes through the events, and returns the number of the last.
    private mutating func scan(_ db: Database, from start: UInt64?) -> UInt64 {
        var position = Int64(0)
        var last = start
        while let rows = RowScan.nextRows(db, from: &position, schema: schema) {
            for row in rows {
                count += 1
                guard let row else {
                    tell(.unreadable(after: last ?? 0))
                    continue
                }
                if let last, row.previous != last {
                    tell(.missing(after: last, before: row.entry.sequence))
                }
                if !row.isIntact { tell(.changed(row.entry.sequence)) }
                last = row.entry.sequence
            }
        }
        return last ?? 0
    }

    private func tellOfReaders(_ db: Database) {
        do {
            _ = try CursorRow.all(db)
            _ = try EpochRow.all(db)
            if schema > 1 { try DeadLetterRow.forEach(of: nil, db) { _ in } }
        } catch {
            let reason = (error as? Damage)?.reason ?? "a reader's row cannot be read"
            tell(.other(reason.prefix(1).uppercased() + reason.dropFirst()))
        }
    }
}
