package import Events
import GRDB

/// An event that a sink refused permanently.
package struct DeadLetter: Equatable, Sendable {
    /// The dead letter's number; 0 until the journal assigns one.
    package let number: Int64
    package let sink: String
    package let entry: JournalEntry
    /// Why the sink refused the event, for example the receiver's answer.
    package let reason: String
    package let refused: EventTime
    package let isToBeSent: Bool
}

extension DeadLetter: JournalRow {
    static let table = "dead_letter"
    static let hashed = JournalEntry.columns + ["sink", "reason", "refused"]
    static let others = ["number", "again", "size"]

    init?(_ row: Row) {
        guard let entry = JournalEntry(row, from: 0), let sink = row.text(6),
            let reason = row.text(7), let refused = row.integer(8), let number = row.integer(10),
            let again = row.integer(11)
        else { return nil }
        self.init(
            number: number, sink: sink, entry: entry, reason: reason,
            refused: EventTime(microsecondsSince1970: refused), isToBeSent: again == 1)
    }

    var hashedValues: [DatabaseValue] {
        let refused = refused.microsecondsSince1970.databaseValue
        return entry.values + [sink.databaseValue, reason.databaseValue, refused]
    }

    var otherValues: [DatabaseValue] {
        let size = entry.size + UInt64(sink.utf8.count + reason.utf8.count)
        let number = number == 0 ? .null : number.databaseValue
        return [number, (isToBeSent ? 1 : 0).databaseValue, size.value]
    }

    static func page(
        of sink: String?, toBeSent isToBeSent: Bool = false, after number: Int64 = 0,
        limit: Int = 500, _ db: Database
    ) throws -> [DeadLetter] {
        // `again = 1` is a literal, so that SQLite uses the partial index.
        let rest = """
            WHERE number > ?\(sink == nil ? "" : " AND sink = ?")\(isToBeSent ? " AND again = 1" : "")
            ORDER BY number LIMIT ?
            """
        let arguments = [number.databaseValue, sink?.databaseValue, limit.databaseValue]
        return try fetchAll(db, rest, StatementArguments(arguments.compactMap(\.self)))
    }

    static func forEach(
        of sink: String?, _ db: Database, _ body: (DeadLetter) throws -> Void
    ) throws {
        var page = try page(of: sink, db)
        while let last = page.last {
            for letter in page { try body(letter) }
            page = try Self.page(of: sink, after: last.number, db)
        }
    }

    static func counts(_ db: Database) throws -> [String: Int] {
        let sql = "SELECT sink, count(*) FROM dead_letter GROUP BY sink"
        return try Row.fetchAll(db, sql: sql).reduce(into: [:]) { counts, row in
            if let sink = row.text(0), let count = row.integer(1) { counts[sink] = Int(count) }
        }
    }

    static func mark(_ numbers: [Int64], isToBeSent: Bool, _ db: Database) throws {
        let sql = "UPDATE dead_letter SET again = ? WHERE number = ?"
        let statement = try db.cachedStatement(sql: sql)
        for number in numbers { try statement.execute(arguments: [isToBeSent ? 1 : 0, number]) }
    }

    static func remove(_ numbers: [Int64], _ db: Database) throws {
        let statement = try db.cachedStatement(sql: "DELETE FROM dead_letter WHERE number = ?")
        for number in numbers { try statement.execute(arguments: [number]) }
    }

    /// If the dead letters exceed `limit` bytes, removes the oldest ones and returns the loss.
    static func removeOldest(above limit: UInt64, _ db: Database) throws -> JournalLoss? {
        let sum = "SELECT coalesce(sum(size), 0) FROM dead_letter"
        let size = try Row.fetchOne(db.cachedStatement(sql: sum))?.number(0) ?? 0
        guard size > limit else { return nil }
        let sql = "SELECT number, sequence, size, sink FROM dead_letter ORDER BY number"
        let rows = try Row.fetchCursor(db, sql: sql)
        var rest = size
        var last: Int64 = 0
        var loss: JournalLoss?
        while rest > limit / 4 * 3, let row = try rows.next() {
            guard let number = row.integer(0), let sequence = row.number(1),
                let size = row.number(2), let sink = row.text(3)
            else { throw Damage("a dead letter has changed") }
            rest -= min(size, rest)
            last = number
            loss.merge(
                JournalLoss(
                    place: .deadLetters, policy: .oldest, first: sequence, last: sequence,
                    sinks: [sink]))
        }
        try db.execute(sql: "DELETE FROM dead_letter WHERE number <= ?", arguments: [last])
        return loss
    }
}
