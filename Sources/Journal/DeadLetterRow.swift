import Events
import GRDB

/// The rows of the table `dead_letter`.
enum DeadLetterRow {
    static let columns =
        "sequence, source, id, type, time, line, sink, reason, refused, hash, again, number"

    /// Dead letters, in the order in which they were refused.
    ///
    /// - Parameters:
    ///   - sink: The sink; nil for those of all.
    ///   - isToBeSent: Only those that somebody asked to be sent again.
    ///   - number: Those behind this one.
    ///   - limit: How many.
    ///   - db: The database.
    /// - Returns: The dead letters.
    /// - Throws: ``Damage`` where one is not as it was written.
    static func letters(
        of sink: String?, toBeSent isToBeSent: Bool = false, after number: Int64 = 0, limit: Int,
        _ db: Database
    ) throws -> [DeadLetter] {
        let sql = """
            SELECT \(columns) FROM dead_letter
            WHERE number > ? AND (? IS NULL OR sink = ?) AND again >= ? ORDER BY number LIMIT ?
            """
        let rows = try Row.fetchAll(
            db, sql: sql, arguments: [number, sink, sink, isToBeSent ? 1 : 0, limit])
        return try rows.map { row in
            guard let letter = read(row) else { throw Damage("a dead letter has changed") }
            return letter
        }
    }

    /// Adds a dead letter.
    static func add(
        _ entry: JournalEntry, of sink: String, reason: String, at time: EventTime, _ db: Database
    ) throws {
        let sql = """
            INSERT INTO dead_letter (sequence, source, id, type, time, line, sink, reason, refused, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try db.execute(
            sql: sql,
            arguments: [
                Int64(clamping: entry.sequence), entry.source, entry.id, entry.type.rawValue,
                entry.time.microsecondsSince1970, entry.line.blob, sink, reason,
                time.microsecondsSince1970, hash(entry, sink, reason, time).blob,
            ])
    }

    /// Says whether dead letters are to be sent again.
    static func mark(_ numbers: [Int64], isToBeSent: Bool, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "UPDATE dead_letter SET again = ? WHERE number = ?")
        for number in numbers { try statement.execute(arguments: [isToBeSent ? 1 : 0, number]) }
    }

    /// Takes dead letters away.
    static func remove(_ numbers: [Int64], _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM dead_letter WHERE number = ?")
        for number in numbers { try statement.execute(arguments: [number]) }
    }

    /// Reads a row; nil where it is not as it was written.
    static func read(_ row: Row) -> DeadLetter? {
        guard let sequence = row.integer(0), let source = row.text(1), let id = row.text(2),
            let type = row.text(3), let time = row.integer(4), let line = row.bytes(5),
            let sink = row.text(6), let reason = row.text(7), let refused = row.integer(8),
            let hash = row.bytes(9), let again = row.integer(10), let number = row.integer(11),
            sequence >= 0
        else { return nil }
        let entry = JournalEntry(
            sequence: UInt64(sequence), source: source, id: id, type: EventType(rawValue: type),
            time: EventTime(microsecondsSince1970: time), line: line)
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
        hash.addFields(of: entry)
        hash.add(sink)
        hash.add(reason)
        hash.add(time.microsecondsSince1970)
        return hash.value
    }
}
