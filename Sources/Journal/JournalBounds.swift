import GRDB

/// The one row of the table `journal`: which journal this is, where it begins and where it ends.
struct JournalBounds: JournalRow, Equatable {
    static let table = "journal"
    static let hashed = [
        "schema", "epoch", "reserved", "removed", "removed_count", "removed_bytes", "newest",
        "newest_count", "newest_bytes", "clock", "wall",
    ]
    static let others = ["number"]

    /// This life of the journal.
    var epoch: Epoch
    /// No event has a number above this one.
    var reserved: UInt64
    /// The newest event that retention removed.
    var removed = JournalMark()
    /// The newest event.
    var newest = JournalMark()
    /// The time of the last commit.
    var moment: JournalClock.Moment

    /// The bounds of an empty journal.
    init(epoch: Epoch, reserved: UInt64, moment: JournalClock.Moment) {
        self.epoch = epoch
        self.reserved = reserved
        self.moment = moment
    }

    init?(_ row: Row) {
        guard let epoch = row.text(1).flatMap(Epoch.init), let reserved = row.number(2),
            let removed = JournalMark(row, from: 3), let newest = JournalMark(row, from: 6),
            let time = row.integer(9), let wall = row.integer(10)
        else { return nil }
        self.epoch = epoch
        self.reserved = reserved
        self.removed = removed
        self.newest = newest
        moment = JournalClock.Moment(time: time, wall: wall)
    }

    /// Reads the row.
    ///
    /// - Throws: ``Damage`` if it is not as it was written.
    init(_ db: Database) throws {
        guard let row = try Row.fetchOne(db, sql: "SELECT \(Self.columns) FROM journal"),
            let bounds = Self.read(row)
        else { throw Damage("its first row has changed") }
        self = bounds
    }

    /// All readers, and how far each got.
    static func cursors(_ db: Database) throws -> [JournalReader: Cursor] {
        let epoch = try Self(db).epoch
        return try CursorRow.all(db).mapValues { Cursor(epoch: epoch, sequence: $0) }
    }

    var hashedValues: [DatabaseValue] {
        [JournalSchema.version.databaseValue, epoch.description.databaseValue, reserved.value]
            + removed.values + newest.values
            + [moment.time.databaseValue, moment.wall.databaseValue]
    }

    var otherValues: [DatabaseValue] { [1.databaseValue] }

    /// The cursor before the oldest event.
    var oldest: Cursor { Cursor(epoch: epoch, sequence: removed.sequence) }

    /// The cursor after the newest event.
    var end: Cursor { Cursor(epoch: epoch, sequence: newest.sequence) }

    /// The number of events.
    var count: UInt64 { newest.count - removed.count }

    /// The size of all events in bytes.
    var size: UInt64 { newest.bytes - removed.bytes }

    /// The number that a cursor stands for in this epoch.
    ///
    /// Every way to set a cursor goes through here: one ahead of the end would skip events to come.
    ///
    /// - Throws: ``JournalError/unknownEpoch(_:)``, ``JournalError/cursorAhead(_:end:)``.
    func sequence(of cursor: Cursor, _ db: Database) throws -> UInt64 {
        guard try knows(cursor.epoch, db) else { throw JournalError.unknownEpoch(cursor) }
        guard cursor.sequence <= newest.sequence else {
            throw JournalError.cursorAhead(cursor, end: end)
        }
        return cursor.sequence
    }

    /// Whether cursors of an epoch mean something in this journal.
    func knows(_ epoch: Epoch, _ db: Database) throws -> Bool {
        try epoch == self.epoch || EpochRow.isKnown(epoch, db)
    }
}
