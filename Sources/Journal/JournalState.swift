import GRDB

/// The one row of the table `journal`.
struct JournalState: Equatable {
    /// This life of the journal.
    var epoch: Epoch
    /// No event has a number above this one.
    var reserved: UInt64
    /// The newest event that retention removed.
    var removed = JournalMark.start
    /// The newest event.
    var newest = JournalMark.start
    /// The time of the last commit.
    var moment: JournalClock.Moment

    /// Reads the row.
    ///
    /// - Throws: ``Damage`` if it is not as it was written.
    init(_ db: Database, schema: Int = JournalSchema.version) throws {
        guard schema == JournalSchema.version else {
            self = try FormerSchema.state(db)
            return
        }
        let sql = """
            SELECT schema, epoch, reserved, removed, removed_count, removed_bytes,
                newest, newest_count, newest_bytes, clock, wall, hash FROM journal
            """
        guard let row = try Row.fetchOne(db, sql: sql), let schema = row.integer(0),
            let epoch = row.text(1).flatMap(Epoch.init), let reserved = row.number(2),
            let removed = JournalMark(row, from: 3), let newest = JournalMark(row, from: 6),
            let time = row.integer(9), let wall = row.integer(10), let hash = row.bytes(11)
        else { throw Damage("its first row cannot be read") }
        self.epoch = epoch
        self.reserved = reserved
        self.removed = removed
        self.newest = newest
        moment = JournalClock.Moment(time: time, wall: wall)
        guard hash == self.hash(schema: schema) else { throw Damage("its first row has changed") }
    }

    /// The state of an empty journal.
    init(epoch: Epoch, reserved: UInt64, moment: JournalClock.Moment) {
        self.epoch = epoch
        self.reserved = reserved
        self.moment = moment
    }

    /// The cursor before the oldest event.
    var oldest: Cursor { Cursor(epoch: epoch, sequence: removed.sequence) }

    /// The number of events.
    var count: UInt64 { newest.count - removed.count }

    /// The size of all events in bytes.
    var size: UInt64 { newest.bytes - removed.bytes }

    func write(to db: Database, schema: Int = JournalSchema.version) throws {
        let schema = Int64(schema)
        let sql = """
            INSERT OR REPLACE INTO journal (number, schema, epoch, reserved, removed, removed_count,
                removed_bytes, newest, newest_count, newest_bytes, clock, wall, hash)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try db.cachedStatement(sql: sql).execute(arguments: [
            schema, epoch.description, Int64(clamping: reserved),
            Int64(clamping: removed.sequence), Int64(clamping: removed.count),
            Int64(clamping: removed.bytes), Int64(clamping: newest.sequence),
            Int64(clamping: newest.count), Int64(clamping: newest.bytes), moment.time, moment.wall,
            hash(schema: schema).blob,
        ])
    }

    private func hash(schema: Int64) -> [UInt8] {
        var hash = RowHash()
        hash.add(schema)
        hash.add(epoch.description)
        hash.add(reserved)
        for mark in [removed, newest] {
            hash.add(mark.sequence)
            hash.add(mark.count)
            hash.add(mark.bytes)
        }
        hash.add(moment.time)
        hash.add(moment.wall)
        return hash.value
    }

    /// The number that a cursor stands for in this epoch.
    ///
    /// This bound holds for every way to set a cursor: one ahead of the end would skip the events that
    /// are still to come.
    ///
    /// - Throws: ``JournalError/unknownEpoch(_:)``, ``JournalError/cursorAhead(_:end:)``.
    func sequence(of cursor: Cursor, _ db: Database) throws -> UInt64 {
        if cursor.epoch != epoch, try EpochRow.end(of: cursor.epoch, db) == nil {
            throw JournalError.unknownEpoch(cursor)
        }
        guard cursor.sequence <= newest.sequence else {
            throw JournalError.cursorAhead(
                cursor, end: Cursor(epoch: epoch, sequence: newest.sequence))
        }
        return cursor.sequence
    }
}

extension JournalMark {
    init?(_ row: Row, from index: Int) {
        guard let sequence = row.number(index), let count = row.number(index + 1),
            let bytes = row.number(index + 2)
        else { return nil }
        self.init(sequence: sequence, count: count, bytes: bytes)
    }
}
