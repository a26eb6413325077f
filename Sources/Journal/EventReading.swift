import GRDB

/// Reads events after a cursor, in one state of the file.
struct PageReading {
    private let state: JournalState
    private let db: Database

    init(_ db: Database) throws {
        self.db = db
        state = try JournalState(db)
    }

    /// Reads a page; nil as the cursor stands for the oldest event.
    ///
    /// - Throws: ``Damage`` if an event is missing or not as it was written.
    func page(after cursor: Cursor?, limit: Int) throws -> JournalPage {
        let (start, found) = try start(of: cursor)
        var gap = found
        var rows = try rows(after: start, limit: limit)
        guard rows.count == limit || (rows.last?.entry.sequence ?? start) >= state.newest.sequence
        else { throw Damage("events after \(rows.last?.entry.sequence ?? start) are missing") }
        if cursor != nil, let lost = try LostRangeRow.first(after: start, db) {
            let before = rows.prefix { $0.entry.sequence < lost.lowerBound }
            if !before.isEmpty {
                // The next page begins with the lost range.
                rows = Array(before)
            } else if !rows.isEmpty, gap == nil {
                gap = JournalGap(
                    first: max(lost.lowerBound, start + 1), last: lost.upperBound, reason: .replaced
                )
            }
        }
        let last = rows.last?.entry.sequence ?? start
        return JournalPage(
            entries: rows.map(\.entry), gap: gap, next: Cursor(epoch: state.epoch, sequence: last))
    }

    /// The number after which events are read, and what is missing between the cursor and it.
    private func start(of cursor: Cursor?) throws -> (UInt64, JournalGap?) {
        let removed = state.removed.sequence
        guard let cursor else { return (removed, nil) }
        guard try cursor.epoch == state.epoch || EpochRow.end(of: cursor.epoch, db) != nil else {
            return (removed, JournalGap(first: 1, last: removed, reason: .unknownEpoch))
        }
        guard cursor.sequence < removed else { return (cursor.sequence, nil) }
        return (
            removed, JournalGap(first: cursor.sequence + 1, last: removed, reason: .retention)
        )
    }

    private func rows(after start: UInt64, limit: Int) throws -> [EventRow] {
        let sql = """
            SELECT \(EventRow.columns) FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?
            """
        var rows: [EventRow] = []
        let found = try Row.fetchCursor(
            db.cachedStatement(sql: sql), arguments: [Int64(clamping: start), limit])
        while let row = try found.next() {
            guard let row = EventRow(row), row.isIntact else {
                throw Damage("the event after \(rows.last?.entry.sequence ?? start) has changed")
            }
            guard follows(row, rows.last, start) else {
                throw Damage("events before \(row.entry.sequence) are missing")
            }
            rows.append(row)
        }
        return rows
    }

    private func follows(_ row: EventRow, _ last: EventRow?, _ start: UInt64) -> Bool {
        if let last { return row.follows(last.mark) }
        if row.previous == state.removed.sequence { return row.follows(state.removed) }
        return row.previous <= start
    }
}

extension EventRow {
    /// Whether no event is missing between a place and this row.
    func follows(_ last: JournalMark) -> Bool {
        previous == last.sequence && mark.count == last.count + 1
    }
}

/// Reads the events of a journal that may be damaged, and skips what cannot be read.
enum RowScan {
    private static let chunk = 500
    /// How many numbers are tried one by one after an unreadable place: more than there are rows
    /// under one page of pages.
    private static let tries = 4_000

    /// Reads the next rows after a position, and moves the position after them.
    ///
    /// - Returns: The rows, with nil for one that makes no sense; nil at the end.
    static func nextRows(
        _ db: Database, from position: inout Int64, schema: Int = JournalSchema.version
    ) -> [EventRow?]? {
        var step = Int64(1)
        var tried = 0
        while true {
            let (rows, last, isWhole) = rows(db, after: position, schema)
            if last > position {
                position = last
                return rows
            }
            guard !isWhole else { return nil }
            // An unreadable page: its rows have numbers near these, and the pages after it are found
            // through pages above it.
            guard step < Int64.max / 4, position < Int64.max / 4 else { return nil }
            position += step
            tried += 1
            if tried > tries { step *= 2 }
        }
    }

    private static func rows(
        _ db: Database, after position: Int64, _ schema: Int
    ) -> (rows: [EventRow?], last: Int64, isWhole: Bool) {
        let isFormer = schema < JournalSchema.version
        let columns = isFormer ? FormerSchema.eventColumns : EventRow.columns
        let sql = "SELECT \(columns) FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?"
        var rows: [EventRow?] = []
        var last = position
        do {
            let found = try Row.fetchCursor(db, sql: sql, arguments: [position, chunk])
            while let row = try found.next() {
                guard let sequence = row.integer(0), sequence > last else { continue }
                last = sequence
                rows.append(isFormer ? FormerSchema.eventRow(row) : EventRow(row))
            }
            return (rows, last, true)
        } catch {
            return (rows, last, false)
        }
    }
}
