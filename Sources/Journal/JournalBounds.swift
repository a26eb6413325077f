import GRDB

/// The single row of the table `journal`: the journal's identity, its start and its end.
struct JournalBounds: Equatable {
    var epoch: Epoch
    /// The highest reserved event number; no event in the file has a higher one.
    var reserved: UInt64
    /// The newest event that retention removed.
    var removed = JournalMark()
    var newest = JournalMark()
    var moment: JournalClock.Moment

    /// The cursor immediately before the oldest event.
    var oldest: Cursor { Cursor(epoch: epoch, sequence: removed.sequence) }
    var count: UInt64 { newest.count - removed.count }
    var size: UInt64 { newest.bytes - removed.bytes }

    /// Checks a reader's new cursor, and returns its number.
    ///
    /// - Throws: ``JournalError`` if the epoch is unknown, or if the number is higher than the newest event's, because
    ///   the reader would skip future events.
    func sequence(of cursor: Cursor, _ db: Database) throws -> UInt64 {
        guard try knows(cursor.epoch, db) else { throw JournalError.unknownEpoch(cursor) }
        guard cursor.sequence <= newest.sequence else {
            let end = Cursor(epoch: epoch, sequence: newest.sequence)
            throw JournalError.cursorAhead(cursor, end: end)
        }
        return cursor.sequence
    }

    func knows(_ epoch: Epoch, _ db: Database) throws -> Bool {
        try epoch == self.epoch || EpochRow.isKnown(epoch, db)
    }

    mutating func append(_ row: EventRow, _ db: Database) throws {
        try row.write(db)
        newest = row.mark
        reserved = max(reserved, newest.sequence)
    }

    static func cursors(_ db: Database) throws -> [JournalReader: Cursor] {
        let epoch = try Self(db).epoch
        return try CursorRow.all(db).mapValues { Cursor(epoch: epoch, sequence: $0) }
    }
}

extension JournalBounds: JournalRow {
    static let table = "journal"
    static let hashed = [
        "schema", "epoch", "reserved", "removed", "removed_count", "removed_bytes", "newest",
        "newest_count", "newest_bytes", "clock", "wall",
    ]
    static let others = ["number"]

    init(_ db: Database) throws {
        let row = try Row.fetchOne(db, sql: "SELECT \(Self.columns) FROM journal")
        guard let bounds = row.flatMap(Self.read) else { throw Damage("its first row has changed") }
        self = bounds
    }

    init?(_ row: Row) {
        guard let epoch = row.text(1).flatMap(Epoch.init), let reserved = row.number(2),
            let removed = JournalMark(row, from: 3), let newest = JournalMark(row, from: 6),
            let time = row.integer(9), let wall = row.integer(10)
        else { return nil }
        self.init(
            epoch: epoch, reserved: reserved, removed: removed, newest: newest,
            moment: JournalClock.Moment(time: time, wall: wall))
    }

    var hashedValues: [DatabaseValue] {
        [JournalSchema.version.databaseValue, epoch.description.databaseValue, reserved.value]
            + removed.values + newest.values
            + [moment.time.databaseValue, moment.wall.databaseValue]
    }

    var otherValues: [DatabaseValue] { [1.databaseValue] }
}
