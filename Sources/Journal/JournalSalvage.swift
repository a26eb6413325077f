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
        try store.change { db in for hole in holes { try LostRangeRow.add(hole, db) } }
        guard let old else {
            hasAllCursors = false
            return
        }
        let (cursors, areAll) = old.unsafeRead { db in
            Self.rows(db, "SELECT kind, name, sequence, hash FROM cursor") { CursorRow.read($0) }
        }
        let epochs = old.unsafeRead { db in
            Self.rows(db, "SELECT name, ended, hash FROM epoch") { try? EpochRow.read($0) }.values
        }
        let earlier = old.unsafeRead { db in
            Self.rows(db, "SELECT first, last FROM hole") { LostRangeRow.read($0) }.values
        }
        let letters = old.unsafeRead { db in
            Self.rows(db, "SELECT \(DeadLetterRow.columns) FROM dead_letter") {
                DeadLetterRow.read($0)
            }.values
        }
        hasAllCursors = areAll
        try store.change { db in
            for (reader, sequence) in cursors { try CursorRow.set(reader, to: sequence, db) }
            for (epoch, ended) in epochs { try EpochRow.add(epoch, ended: ended, db) }
            for hole in earlier { try LostRangeRow.add(hole, db) }
            for letter in letters {
                try DeadLetterRow.add(
                    letter.entry, of: letter.sink, reason: letter.reason, at: letter.refused, db)
            }
        }
    }

    /// Reads rows until SQLite fails, without those that have changed.
    private static func rows<Value>(
        _ db: Database, _ sql: String, _ read: (Row) -> Value?
    ) -> (values: [Value], areAll: Bool) {
        var values: [Value] = []
        var areAll = true
        do {
            let found = try Row.fetchCursor(db, sql: sql)
            while let row = try found.next() {
                if let value = read(row) { values.append(value) } else { areAll = false }
            }
        } catch {
            areAll = false
        }
        return (values, areAll)
    }

    /// Closes the damaged journal.
    func close() { old.map(JournalConnection.close) }
}
