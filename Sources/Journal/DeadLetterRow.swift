import Events
import GRDB

/// The rows of the table `dead_letter`.
enum DeadLetterRow {
    static let columns =
        "sequence, source, id, type, time, line, sink, reason, refused, hash, again, number"

    /// Reads dead letters in the order in which they were refused.
    ///
    /// They are those of a sink, or of all; those after a number; and with `isToBeSent`, only those that
    /// someone asked to send again.
    ///
    /// - Throws: ``Damage`` if one is not as it was written.
    static func letters(
        of sink: String?, toBeSent isToBeSent: Bool = false, after number: Int64 = 0, limit: Int,
        _ db: Database
    ) throws -> [DeadLetter] {
        var conditions = ["number > ?"]
        var arguments: StatementArguments = [number]
        if let sink {
            conditions.append("sink = ?")
            arguments += [sink]
        }
        // As a constant, so that SQLite uses the index of these few.
        if isToBeSent { conditions.append("again = 1") }
        let sql = """
            SELECT \(columns) FROM dead_letter WHERE \(conditions.joined(separator: " AND "))
            ORDER BY number LIMIT ?
            """
        let rows = try Row.fetchAll(
            db.cachedStatement(sql: sql), arguments: arguments + [limit])
        return try rows.map { row in
            guard let letter = read(row) else { throw Damage("a dead letter has changed") }
            return letter
        }
    }

    /// Calls `body` with all dead letters of a sink, or of all, a page at a time.
    static func forEach(
        of sink: String?, _ db: Database, _ body: (DeadLetter) throws -> Void
    ) throws {
        var last: Int64 = 0
        while true {
            let page = try letters(of: sink, after: last, limit: 500, db)
            guard let end = page.last?.number else { return }
            for letter in page { try body(letter) }
            last = end
        }
    }

    /// The number of dead letters of each sink that has any.
    static func counts(_ db: Database) throws -> [String: Int] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT sink, count(*) FROM dead_letter GROUP BY sink")
        return rows.reduce(into: [:]) { counts, row in
            if let sink = row.text(0), let count = row.integer(1) { counts[sink] = Int(count) }
        }
    }

    /// The size of all dead letters in bytes.
    static func size(_ db: Database) throws -> UInt64 {
        let sql = "SELECT coalesce(sum(size), 0) FROM dead_letter"
        return try Row.fetchOne(db.cachedStatement(sql: sql))?.number(0) ?? 0
    }

    static func add(
        _ entry: JournalEntry, of sink: String, reason: String, at time: EventTime, _ db: Database
    ) throws {
        let sql = """
            INSERT INTO dead_letter (sequence, source, id, type, time, line, sink, reason, refused,
                size, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try db.cachedStatement(sql: sql).execute(arguments: [
            Int64(clamping: entry.sequence), entry.source, entry.id, entry.type.rawValue,
            entry.time.microsecondsSince1970, entry.line.blob, sink, reason,
            time.microsecondsSince1970, Int64(clamping: size(entry, sink, reason)),
            hash(entry, sink, reason, time).blob,
        ])
    }

    /// Adds a dead letter of another journal.
    static func add(_ letter: DeadLetter, _ db: Database) throws {
        try add(letter.entry, of: letter.sink, reason: letter.reason, at: letter.refused, db)
        if letter.isToBeSent { try mark([db.lastInsertedRowID], isToBeSent: true, db) }
    }

    /// The room that a dead letter takes, in bytes.
    static func size(_ entry: JournalEntry, _ sink: String, _ reason: String) -> UInt64 {
        entry.size + UInt64(sink.utf8.count + reason.utf8.count)
    }

    /// Says whether dead letters are to be sent again.
    static func mark(_ numbers: [Int64], isToBeSent: Bool, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "UPDATE dead_letter SET again = ? WHERE number = ?")
        for number in numbers { try statement.execute(arguments: [isToBeSent ? 1 : 0, number]) }
    }

    static func remove(_ numbers: [Int64], _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM dead_letter WHERE number = ?")
        for number in numbers { try statement.execute(arguments: [number]) }
    }

    /// Removes the oldest dead letters until some bytes are free, at most ``Retention/step`` letters.
    ///
    /// - Returns: What was removed; nil if there was nothing.
    static func removeOldest(freeing bytes: UInt64, _ db: Database) throws -> JournalLoss? {
        let sql = "SELECT number, sequence, size, sink FROM dead_letter ORDER BY number LIMIT ?"
        let rows = try Row.fetchCursor(
            db.cachedStatement(sql: sql), arguments: [Retention.step])
        var freed: UInt64 = 0
        var last: Int64 = 0
        var loss: JournalLoss?
        while freed < bytes, let row = try rows.next() {
            guard let number = row.integer(0), let sequence = row.number(1),
                let size = row.number(2), let sink = row.text(3)
            else { throw Damage("a dead letter has changed") }
            freed += size
            last = number
            let letter = JournalLoss(
                place: .deadLetters, policy: .oldest, first: sequence, last: sequence, count: 1,
                sinks: [sink])
            loss = loss?.merged(with: letter) ?? letter
        }
        try db.execute(sql: "DELETE FROM dead_letter WHERE number <= ?", arguments: [last])
        return loss
    }

    /// Reads a row; nil if it is not as it was written.
    static func read(_ row: Row) -> DeadLetter? {
        guard let sequence = row.number(0),
            let entry = JournalEntry(row, sequence: sequence, from: 1), let sink = row.text(6),
            let reason = row.text(7), let refused = row.integer(8), let hash = row.bytes(9),
            let again = row.integer(10), let number = row.integer(11)
        else { return nil }
        let refusedAt = EventTime(microsecondsSince1970: refused)
        guard hash == Self.hash(entry, sink, reason, refusedAt) else { return nil }
        return DeadLetter(
            number: number, sink: sink, entry: entry, reason: reason, refused: refusedAt,
            isToBeSent: again == 1)
    }

    private static func hash(
        _ entry: JournalEntry, _ sink: String, _ reason: String, _ time: EventTime
    ) -> [UInt8] {
        var hash = RowHash(capacity: entry.line.count + 512)
        hash.add(entry)
        hash.add(sink)
        hash.add(reason)
        hash.add(time.microsecondsSince1970)
        return hash.value
    }
}
