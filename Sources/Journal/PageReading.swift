import GRDB

/// Reads events behind a cursor, in one state of the file.
struct PageReading {
    private let state: JournalState
    private let db: Database

    init(_ db: Database) throws {
        self.db = db
        state = try JournalState(db)
    }

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - cursor: Where it begins; nil for the oldest event there is.
    ///   - limit: How many events it has at the most.
    /// - Returns: The page.
    /// - Throws: ``Damage`` where an event is missing or not as it was written.
    func page(after cursor: Cursor?, limit: Int) throws -> JournalPage {
        let (start, found) = try start(of: cursor)
        var gap = found
        var rows = try rows(after: start, limit: limit)
        guard rows.count == limit || (rows.last?.entry.sequence ?? start) >= state.newest.sequence
        else { throw Damage("events behind \(rows.last?.entry.sequence ?? start) are missing") }
        if cursor != nil, let hole = try LostRangeRow.first(behind: start, db) {
            let before = rows.prefix { $0.entry.sequence < hole.lowerBound }
            if !before.isEmpty {
                // The next page begins with the hole.
                rows = Array(before)
            } else if !rows.isEmpty {
                gap =
                    gap
                    ?? JournalGap(
                        first: max(hole.lowerBound, start + 1), last: hole.upperBound,
                        reason: .replaced)
            }
        }
        let last = rows.last?.entry.sequence ?? start
        return JournalPage(
            entries: rows.map(\.entry), gap: gap, next: Cursor(epoch: state.epoch, sequence: last))
    }

    /// From which number on events are read, and what is missing between it and the cursor.
    private func start(of cursor: Cursor?) throws -> (UInt64, JournalGap?) {
        guard let cursor else { return (state.removed.sequence, nil) }
        let removed = state.removed.sequence
        let isKnown =
            try cursor.epoch == state.epoch || EpochRow.end(of: cursor.epoch, db) != nil
        guard isKnown else {
            return (removed, JournalGap(first: 1, last: removed, reason: .unknownEpoch))
        }
        return behind(cursor.sequence)
    }

    private func behind(_ sequence: UInt64) -> (UInt64, JournalGap?) {
        let removed = state.removed.sequence
        guard sequence < removed else { return (sequence, nil) }
        return (removed, JournalGap(first: sequence + 1, last: removed, reason: .retention))
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
                throw Damage("the event behind \(rows.last?.entry.sequence ?? start) has changed")
            }
            guard follows(row, rows.last?.end, start) else {
                throw Damage("events ahead of \(row.entry.sequence) are missing")
            }
            rows.append(row)
        }
        return rows
    }

    private func follows(_ row: EventRow, _ last: ChainEnd?, _ start: UInt64) -> Bool {
        if let last { return row.previous == last.sequence && row.link == last.hash }
        if row.previous == state.removed.sequence { return row.link == state.removed.hash }
        return row.previous <= start
    }
}
