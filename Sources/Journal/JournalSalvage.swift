import Events
import GRDB

/// Copies the readable and unchanged rows of a damaged journal, one by one.
struct JournalSalvage {
    private let old: DatabaseQueue?
    private let schema: Int
    /// The number of copied events.
    private(set) var takenCount = 0
    /// The number of places where events are missing.
    private(set) var holeCount = 0
    /// Whether every reader's cursor could be read.
    private(set) var hasAllCursors = true

    /// The readable facts about a damaged journal.
    struct Remains: Equatable {
        /// Nil if it cannot be read.
        var state: JournalState?
        /// The highest number that may have been given; nil if it cannot be known.
        var highest: UInt64?
    }

    /// Opens a damaged journal, which it leaves as it is.
    ///
    /// - Throws: ``JournalTrouble`` for a failure other than damage, which may pass.
    init(_ path: String) throws {
        do {
            old = try JournalConnection.reading(path: path)
        } catch {
            let trouble = JournalTrouble(error)
            guard case .damage = trouble else { throw trouble }
            old = nil
        }
        schema = old?.unsafeRead(JournalSchema.guess) ?? JournalSchema.version
    }

    /// Reads the facts about the journal.
    var remains: Remains {
        var remains = Remains()
        old?.unsafeRead { db in
            remains.state = try? JournalState(db, schema: schema)
            let sql = "SELECT sequence FROM event ORDER BY sequence DESC LIMIT 1"
            let newest = try? Row.fetchOne(db, sql: sql)?.integer(0)
            let numbers = [
                remains.state?.reserved,
                newest.flatMap { UInt64(exactly: $0) },
            ]
            // Without the state it is unknown how many numbers were given after the newest event.
            remains.highest = remains.state == nil ? nil : numbers.compactMap(\.self).max()
        }
        return remains
    }

    /// Copies everything that can be read into an empty journal: events below `limit`, and cursors.
    ///
    /// `isEndKnown` says whether the journal's state names its newest event. `progress` is called after
    /// each page of events.
    ///
    /// - Throws: ``JournalTrouble`` if the new journal cannot be written.
    mutating func run(
        into store: inout JournalStore, below limit: UInt64, isEndKnown: Bool,
        progress: () -> Void
    ) throws {
        let state = remains.state
        if let state { try store.begin(after: state.removed.sequence) }
        var position = Int64(0)
        var last = state?.removed.sequence
        var holes: [ClosedRange<UInt64>] = []
        while let rows = nextRows(from: &position) {
            // A row below what was removed is left of a page that the disk did not write.
            let before = last ?? 0
            let intact = rows.compactMap { $0 }.filter {
                $0.isIntact && $0.entry.sequence > before && $0.entry.sequence < limit
            }
            for row in intact {
                if let last, row.previous != last, last + 1 < row.entry.sequence {
                    holes.append(last + 1...row.entry.sequence - 1)
                }
                if last == nil { try store.begin(after: row.previous) }
                last = row.entry.sequence
            }
            takenCount += intact.count
            try store.copy(intact)
            progress()
        }
        if let moment = state?.moment, moment.time > 0 { _ = try store.commit([], at: moment) }
        let end = last ?? 0
        let isWhole = isEndKnown && state?.newest.sequence == end
        if !isWhole, end + 1 < limit { holes.append(end + 1...limit - 1) }
        holeCount = holes.count
        try takeReaders(into: &store, holes)
    }

    /// Reads the next rows, as ``RowScan`` does.
    private func nextRows(from position: inout Int64) -> [EventRow?]? {
        old?.unsafeRead { RowScan.nextRows($0, from: &position, schema: schema) }
    }

    private mutating func takeReaders(
        into store: inout JournalStore, _ holes: [ClosedRange<UInt64>]
    ) throws {
        var hasAllCursors = false
        try store.change { db in
            for hole in holes { try LostRangeRow.add(hole, db) }
            hasAllCursors = try forEach("SELECT kind, name, sequence, hash FROM cursor") { row in
                guard let (reader, sequence) = CursorRow.read(row) else { return false }
                try CursorRow.set(reader, to: sequence, db)
                return true
            }
            _ = try forEach("SELECT name, ended, hash FROM epoch") { row in
                guard let (epoch, ended) = try? EpochRow.read(row) else { return false }
                try EpochRow.add(epoch, ended: ended, db)
                return true
            }
            _ = try forEach("SELECT first, last FROM hole") { row in
                guard let hole = LostRangeRow.read(row) else { return false }
                try LostRangeRow.add(hole, db)
                return true
            }
            let letters = "SELECT \(DeadLetterRow.columns) FROM dead_letter ORDER BY number"
            _ = try forEach(letters) { row in
                guard let letter = DeadLetterRow.read(row) else { return false }
                try DeadLetterRow.add(letter, db)
                return true
            }
        }
        self.hasAllCursors = hasAllCursors
    }

    /// Calls `body` with the rows of the damaged journal, until SQLite fails to read one.
    ///
    /// - Returns: Whether it read all, and `body` found each as it was written.
    private func forEach(_ sql: String, _ body: (Row) throws -> Bool) throws -> Bool {
        guard let old else { return false }
        return try old.unsafeRead { db in
            guard let rows = try? Row.fetchCursor(db, sql: sql) else { return false }
            var areAll = true
            while true {
                guard case .success(let row) = Result(catching: { try rows.next() }) else {
                    return false
                }
                guard let row else { return areAll }
                if try !body(row) { areAll = false }
            }
        }
    }

    /// Closes the damaged journal.
    func close() { old.map(JournalConnection.close) }
}

/// Puts a damaged journal aside and begins a new one with the rows that can be read.
enum JournalReplacing {
    /// The new journal, open, and the report about it.
    struct Result {
        let store: JournalStore
        let replacement: JournalReplacement
    }

    /// Replaces a journal that is closed everywhere.
    ///
    /// This process has given numbers from `start` on, and `given` is the highest that it may give. A
    /// durable sink whose cursor is lost gets everything again. `progress` is called after each page,
    /// since the work grows with the journal.
    ///
    /// - Throws: ``JournalTrouble`` if the disk fails; the damaged journal is left in place then.
    static func run(
        path: String, sinks: Set<String>, damage: Damage, epoch: Epoch, given: UInt64,
        below start: UInt64, at time: EventTime, progress: () -> Void
    ) throws -> Result {
        do {
            try JournalExchange.removeSuccessor(of: path)
            var salvage = try JournalSalvage(path)
            let ended = salvage.remains.state?.epoch
            do {
                defer { salvage.close() }
                var store = try JournalStore(
                    opening: JournalExchange.successor(of: path), epoch: epoch, reserved: given)
                defer { store.close() }
                try salvage.run(
                    into: &store, below: start, isEndKnown: !damage.hidesTheEnd,
                    progress: progress)
                if let ended {
                    try store.change { try EpochRow.add(ended, ended: start - 1, $0) }
                }
                if !salvage.hasAllCursors { try beginAnew(sinks, in: &store) }
                guard try store.read(JournalConnection.foldLog) else {
                    throw JournalTrouble.failure("another program reads the new journal")
                }
            }
            let exchange = JournalExchange(of: path, at: time)
            try exchange.run()
            return Result(
                store: try JournalStore(opening: path),
                replacement: JournalReplacement(
                    reason: damage.reason, file: exchange.old, taken: salvage.takenCount,
                    holes: salvage.holeCount, ended: ended, epoch: epoch))
        } catch {
            throw JournalTrouble(error)
        }
    }

    private static func beginAnew(_ sinks: Set<String>, in store: inout JournalStore) throws {
        let start = store.state.removed.sequence
        try store.change { db in
            let known = try CursorRow.all(db)
            for sink in sinks where known[.sink(sink)] == nil {
                try CursorRow.set(.sink(sink), to: start, db)
            }
        }
    }
}
