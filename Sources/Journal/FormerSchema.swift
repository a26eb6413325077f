import Events
import GRDB

/// Journals of the schemas 1 and 2, in which each row's hash also covered the hash of the row before.
enum FormerSchema {
    static let eventColumns = "sequence, previous, source, id, type, time, line, link, hash"

    /// Reads an event; nil if a column is not of its type.
    static func eventRow(_ row: Row) -> EventRow? {
        guard let sequence = row.number(0), let previous = row.number(1), sequence > 0,
            let entry = JournalEntry(row, sequence: sequence, from: 2),
            let link = row.bytes(7), let hash = row.bytes(8)
        else { return nil }
        var expected = RowHash(capacity: entry.line.count + 384)
        expected.add(link)
        expected.add(previous)
        expected.add(entry)
        return EventRow(former: entry, previous: previous, isIntact: hash == expected.value)
    }

    /// Reads the row of the table `journal`; its marks have numbers only.
    ///
    /// - Throws: ``Damage`` if it is not as it was written.
    static func state(_ db: Database) throws -> JournalState {
        let sql = """
            SELECT schema, epoch, reserved, removed, removed_hash, newest, newest_hash, hash
            FROM journal
            """
        guard let row = try Row.fetchOne(db, sql: sql), let schema = row.integer(0),
            let epoch = row.text(1).flatMap(Epoch.init), let reserved = row.number(2),
            let removed = row.number(3), let removedHash = row.bytes(4), let newest = row.number(5),
            let newestHash = row.bytes(6), let hash = row.bytes(7)
        else { throw Damage("its first row cannot be read") }
        var expected = RowHash()
        expected.add(schema)
        expected.add(epoch.description)
        expected.add(reserved)
        expected.add(removed)
        expected.add(removedHash)
        expected.add(newest)
        expected.add(newestHash)
        guard hash == expected.value else { throw Damage("its first row has changed") }
        var state = JournalState(
            epoch: epoch, reserved: reserved, moment: JournalClock.Moment(time: 0, wall: 0))
        state.removed.sequence = removed
        state.newest.sequence = newest
        return state
    }

    /// Brings a file up to date, in one transaction: an interruption leaves the file as it was.
    ///
    /// - Throws: ``Damage`` if a row is not as it was written.
    static func convert(_ db: Database, from schema: Int) throws {
        try db.inTransaction(.immediate) {
            let former = try state(db)
            let tables = ["journal", "event"] + (schema > 1 ? ["dead_letter"] : [])
            for table in tables {
                try db.execute(sql: "ALTER TABLE \(table) RENAME TO former_\(table)")
            }
            try db.execute(sql: JournalSchema.eventTables)
            let state = try copyEvents(db, former)
            guard state.newest.sequence == former.newest.sequence else {
                throw Damage("its newest events are missing")
            }
            if schema > 1 { try copyLetters(db) }
            for table in tables { try db.execute(sql: "DROP TABLE former_\(table)") }
            try JournalSchema.mark(db, state)
            return .commit
        }
    }

    private static func copyEvents(
        _ db: Database, _ former: JournalState
    ) throws -> JournalState {
        var state = former
        state.newest = former.removed
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(eventColumns) FROM former_event ORDER BY sequence")
        while let found = try rows.next() {
            guard let row = eventRow(found), row.isIntact, row.previous == state.newest.sequence
            else {
                throw Damage("the event after \(state.newest.sequence) has changed")
            }
            state.moment.time = max(state.moment.time, row.clock)
            state.moment.wall = row.entry.time.microsecondsSince1970
            let new = EventRow(row.entry, after: state.newest, at: state.moment.time)
            try new.insert(into: db)
            state.newest = new.mark
        }
        return state
    }

    private static func copyLetters(_ db: Database) throws {
        let rows = try Row.fetchCursor(
            db, sql: "SELECT \(DeadLetterRow.columns) FROM former_dead_letter ORDER BY number")
        while let row = try rows.next() {
            guard let letter = DeadLetterRow.read(row) else {
                throw Damage("a dead letter has changed")
            }
            try DeadLetterRow.add(letter, db)
        }
    }
}
