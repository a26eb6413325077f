import Events
import GRDB

/// A row of the table `dead_letter`.
struct DeadLetterRow: JournalRow {
    static let table = "dead_letter"
    static let hashed = JournalEntry.columns + ["sink", "reason", "refused"]
    static let others = ["number", "again", "size"]
    private static let pageSize = 500

    let letter: DeadLetter

    /// The row of a letter; one with the number 0 gets the next number.
    init(_ letter: DeadLetter) { self.letter = letter }

    init?(_ row: Row) {
        guard let entry = JournalEntry(row, from: 0), let sink = row.text(6),
            let reason = row.text(7), let refused = row.integer(8), let number = row.integer(10),
            let again = row.integer(11)
        else { return nil }
        letter = DeadLetter(
            number: number, sink: sink, entry: entry, reason: reason,
            refused: EventTime(microsecondsSince1970: refused), isToBeSent: again == 1)
    }

    var hashedValues: [DatabaseValue] {
        letter.entry.values + [
            letter.sink.databaseValue, letter.reason.databaseValue,
            letter.refused.microsecondsSince1970.databaseValue,
        ]
    }

    var otherValues: [DatabaseValue] {
        let size = letter.entry.size + UInt64(letter.sink.utf8.count + letter.reason.utf8.count)
        return [
            letter.number == 0 ? .null : letter.number.databaseValue,
            (letter.isToBeSent ? 1 : 0).databaseValue, size.value,
        ]
    }

    /// Reads dead letters of a sink, or of all, after a number, in the order in which they were refused.
    ///
    /// With `isToBeSent`, it reads only those that someone asked to send again.
    static func page(
        of sink: String?, toBeSent isToBeSent: Bool = false, after number: Int64 = 0,
        limit: Int = pageSize, _ db: Database
    ) throws -> [DeadLetter] {
        // `again = 1` is no argument, so that SQLite uses the index of these few.
        let rest = """
            WHERE number > ?\(sink == nil ? "" : " AND sink = ?")\(isToBeSent ? " AND again = 1" : "")
            ORDER BY number LIMIT ?
            """
        let arguments = [number.databaseValue, sink?.databaseValue, limit.databaseValue]
        return try fetchAll(db, rest, StatementArguments(arguments.compactMap(\.self)))
            .map(\.letter)
    }

    /// Calls `body` with all dead letters of a sink, or of all, a page at a time.
    static func forEach(
        of sink: String?, _ db: Database, _ body: (DeadLetter) throws -> Void
    ) throws {
        var last: Int64 = 0
        while let end = try page(of: sink, after: last, db).map({ letter in
            try body(letter)
            return letter.number
        }).last { last = end }
    }

    /// The number of dead letters of each sink that has any.
    static func counts(_ db: Database) throws -> [String: Int] {
        let rows = try Row.fetchAll(
            db, sql: "SELECT sink, count(*) FROM dead_letter GROUP BY sink")
        return rows.reduce(into: [:]) { counts, row in
            if let sink = row.text(0), let count = row.integer(1) { counts[sink] = Int(count) }
        }
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

    /// Removes the oldest quarter if all together are larger than a limit in bytes.
    ///
    /// - Returns: What was removed; nil if they are not larger.
    static func removeOldest(above limit: UInt64, _ db: Database) throws -> JournalLoss? {
        let sql = "SELECT coalesce(sum(size), 0) FROM dead_letter"
        let size = try Row.fetchOne(db.cachedStatement(sql: sql))?.number(0) ?? 0
        guard size > limit else { return nil }
        let rows = try Row.fetchCursor(
            db, sql: "SELECT number, sequence, size, sink FROM dead_letter ORDER BY number")
        var rest = size
        var last: Int64 = 0
        var loss: JournalLoss?
        while rest > limit / 4 * 3, let row = try rows.next() {
            guard let number = row.integer(0), let sequence = row.number(1),
                let size = row.number(2), let sink = row.text(3)
            else { throw Damage("a dead letter has changed") }
            rest -= min(size, rest)
            last = number
            let letter = JournalLoss(
                place: .deadLetters, policy: .oldest, first: sequence, last: sequence, count: 1,
                sinks: [sink])
            loss = loss?.merged(with: letter) ?? letter
        }
        try db.execute(sql: "DELETE FROM dead_letter WHERE number <= ?", arguments: [last])
        return loss
    }
}
