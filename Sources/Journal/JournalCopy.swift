import Events
import GRDB

/// An operation that copies a journal's intact rows to a new file, which then replaces the journal.
///
/// A damaged journal is set aside, and a new epoch starts. An undamaged journal from an earlier version of keywedge is
/// removed, and its copy keeps the epoch.
struct JournalCopy {
    private let path: String
    private let old: DatabaseQueue?
    private let isFormer: Bool
    private var ignoresLog = false
    /// The old journal's epoch, start and end; nil if they cannot be read.
    let bounds: JournalBounds?
    private var taken = 0
    private var holes: [ClosedRange<UInt64>] = []
    private var isWhole = true

    /// Opens the old journal, even if it is damaged; throws only errors that may be temporary.
    init(of path: String) throws {
        self.path = path
        do {
            old = try JournalConnection.open(path)
        } catch {
            guard JournalError(error, path: path).damage != nil else { throw error }
            // Perhaps only the log is unreadable.
            ignoresLog = true
            do {
                old = try JournalConnection.open(path, ignoresLog: true)
            } catch {
                guard JournalError(error, path: path).damage != nil else { throw error }
                old = nil
            }
        }
        isFormer = old?.unsafeRead(FormerSchema.isUsed) ?? false
        let read = isFormer ? FormerSchema.bounds : JournalBounds.init
        bounds = old?.unsafeRead { try? read($0) }
    }

    struct Order {
        /// The old journal's damage; nil for an undamaged journal in an earlier format.
        let damage: Damage?
        let epoch: Epoch
        /// The highest event number that may have been assigned.
        let reserved: UInt64
        let next: UInt64
        /// The durable sinks, which get all events again if their cursors are lost.
        let sinks: Set<String>
        let now: ClockReading
    }

    /// Replaces the journal with a copy, closes both, and calls `progress` after each page of events.
    ///
    /// - Returns: A report; nil if the journal was undamaged and everything was copied.
    mutating func run(_ order: Order, progress: () -> Void) throws -> JournalReplacement? {
        try write(order, progress)
        if ignoresLog, (try? JournalConnection.open(path)).map(JournalConnection.close) != nil {
            throw JournalError.failed(path: path, reason: "it can be read again")
        }
        let exchange = JournalExchange(of: path, at: order.now.time)
        try exchange.run()
        guard !isWhole else {
            try Folder.removeDatabase(exchange.old)
            return nil
        }
        return JournalReplacement(
            reason: order.damage?.reason ?? "not all of it could be converted",
            file: exchange.old, taken: taken, holes: holes.count, ended: bounds?.epoch,
            epoch: order.epoch)
    }

    private mutating func write(_ order: Order, _ progress: () -> Void) throws {
        defer { old.map(JournalConnection.close) }
        let successor = JournalExchange.successor(of: path)
        try Folder.removeDatabase(successor)
        var new = try JournalDatabase(
            opening: successor, epoch: order.epoch, reserved: order.reserved, wall: order.now.wall)
        defer { new.close() }
        try copyEvents(to: &new, progress)
        let end = new.bounds.newest.sequence
        if try ignoresLog || bounds?.newest.sequence != end
            || JournalConnection.logHidesCommits(path)
        {
            isWhole = false
            if end + 1 < order.next { holes.append(end + 1...order.next - 1) }
        }
        try copyReaders(to: &new, order)
        guard try new.queue.writeWithoutTransaction(JournalConnection.foldLog) else {
            throw JournalError.failed(path: path, reason: "another program reads the new journal")
        }
    }

    private mutating func copyEvents(
        to new: inout JournalDatabase, _ progress: () -> Void
    ) throws {
        if let bounds { try new.write { $1.begin(after: bounds.removed.sequence) } }
        var scan = RowScan(isFormer: isFormer)
        while let found = old?.unsafeRead({ scan.next($0) }) {
            let rows = found.compactMap(\.row)
            if rows.count < found.count { isWhole = false }
            try new.write { db, bounds in
                for row in rows { try copy(row, to: &bounds, db) }
            }
            progress()
        }
        if let moment = bounds?.moment, moment.time > 0 { try new.write { $1.moment = moment } }
    }

    private mutating func copy(
        _ row: EventRow, to new: inout JournalBounds, _ db: Database
    ) throws {
        if taken == 0, bounds == nil { new.begin(after: row.previous) }
        let last = new.newest.sequence
        // A row with a lower number is left over from a page that the disk did not write.
        guard row.entry.sequence > last else { return }
        if row.previous != last {
            isWhole = false
            if last + 1 < row.entry.sequence { holes.append(last + 1...row.entry.sequence - 1) }
        }
        let time = max(new.moment.time, row.clock)
        new.moment = JournalClock.Moment(time: time, wall: row.entry.time.microsecondsSince1970)
        try new.append(EventRow(row.entry, after: new.newest, at: time), db)
        taken += 1
    }

    private mutating func copyReaders(to new: inout JournalDatabase, _ order: Order) throws {
        try new.write { db, new in
            for hole in holes { try LostRange.add(hole, db) }
            let hasAllCursors = try copy(CursorRow.self, to: db)
            try CursorRow.repair(for: order.sinks, isMissing: !hasAllCursors, db)
            let hasAllHoles = try forEach("SELECT first, last FROM hole") { row in
                try LostRange.read(row).map { try LostRange.add($0, db) } != nil
            }
            let hasAll = try [
                hasAllCursors, hasAllHoles, copy(EpochRow.self, to: db), copyLetters(to: db),
            ]
            isWhole = isWhole && order.damage == nil && !hasAll.contains(false)
            guard let bounds else { return }
            if isWhole {
                new.epoch = bounds.epoch
            } else {
                try EpochRow(epoch: bounds.epoch, ended: order.next - 1).write(db)
            }
        }
    }

    /// Copies a table's intact rows; returns whether all rows could be copied.
    private func copy<R: JournalRow>(
        _: R.Type, _ columns: String = R.columns, to db: Database
    ) throws -> Bool {
        try forEach("SELECT \(columns) FROM \(R.table)") { try R.read($0)?.write(db) != nil }
    }

    private func copyLetters(to db: Database) throws -> Bool {
        // The first schema had no dead letters, and the second did not store their sizes.
        guard try old?.unsafeRead({ try $0.tableExists("dead_letter") }) ?? false else {
            return isFormer
        }
        return try copy(DeadLetter.self, DeadLetter.columns.replacing(", size", with: ""), to: db)
    }

    /// Calls `body` with each row; returns true if all rows were readable and `body` always returned true.
    private func forEach(_ sql: String, _ body: (Row) throws -> Bool) throws -> Bool {
        guard let old else { return false }
        return try old.unsafeRead { db in
            guard let rows = try? Row.fetchCursor(db, sql: sql) else { return false }
            var areAll = true
            while case .success(let row) = Result(catching: { try rows.next() }) {
                guard let row else { return areAll }
                if try !body(row) { areAll = false }
            }
            return false
        }
    }
}

extension JournalBounds {
    /// Makes an empty journal start after the event number `removed`.
    fileprivate mutating func begin(after removed: UInt64) {
        self.removed.sequence = removed
        newest.sequence = removed
        reserved = max(reserved, removed)
        moment = JournalClock.Moment()
    }
}

/// The error for a journal with the former schema 1 or 2.
struct FormerSchema: Error {
    static let eventColumns = "link, previous, sequence, source, id, type, time, line, hash"

    static func isUsed(_ db: Database) -> Bool {
        let sql = "SELECT count(*) FROM pragma_table_info('event') WHERE name = 'link'"
        return (try? Int.fetchOne(db, sql: sql)) == 1
    }

    static func eventRow(_ row: Row) -> EventRow? {
        guard row.isIntact(8), let previous = row.number(1), let entry = JournalEntry(row, from: 2)
        else { return nil }
        // Even an event dated in the future was written before now.
        let clock = min(entry.time.microsecondsSince1970, ClockReading.now.wall)
        return EventRow(entry, after: JournalMark(sequence: previous), at: clock)
    }

    /// Reads the bounds of a journal with schema 1 or 2.
    ///
    /// Counts and sizes are 0, because these schemas do not store them.
    static func bounds(_ db: Database) throws -> JournalBounds {
        let sql = """
            SELECT schema, epoch, reserved, removed, removed_hash, newest, newest_hash, hash
            FROM journal
            """
        guard let row = try Row.fetchOne(db, sql: sql), row.isIntact(7),
            let epoch = row.text(1).flatMap(Epoch.init), let reserved = row.number(2),
            let removed = row.number(3), let newest = row.number(5)
        else { throw Damage("its first row has changed") }
        return JournalBounds(
            epoch: epoch, reserved: reserved, removed: JournalMark(sequence: removed),
            newest: JournalMark(sequence: newest), moment: JournalClock.Moment())
    }
}
