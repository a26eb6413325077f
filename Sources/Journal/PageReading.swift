import GRDB

/// A reader of the events after a cursor, in a consistent snapshot of the file.
struct PageReading {
    private let bounds: JournalBounds
    private let db: Database

    init(_ db: Database) throws {
        self.db = db
        bounds = try JournalBounds(db)
    }

    /// Reads up to `limit` events after the cursor; throws any ``Damage`` that is found.
    func page(after cursor: Cursor?, limit: Int) throws -> JournalPage {
        let (start, found) = try start(of: cursor)
        var gap = found
        var rows = try rows(after: start, limit: limit)
        if cursor != nil, let lost = try LostRange.first(after: start, db) {
            let before = rows.prefix { $0.entry.sequence < lost.lowerBound }
            if !before.isEmpty {
                // The next page starts with the lost range.
                rows = Array(before)
            } else if !rows.isEmpty, gap == nil {
                let first = max(lost.lowerBound, start + 1)
                gap = JournalGap(first: first, last: lost.upperBound, reason: .replaced)
            }
        }
        let last = rows.last?.entry.sequence ?? start
        return JournalPage(
            entries: rows.map(\.entry), gap: gap, next: Cursor(epoch: bounds.epoch, sequence: last))
    }

    /// Returns the number after which to read, and any gap due to retention or an unknown epoch.
    private func start(of cursor: Cursor?) throws -> (UInt64, JournalGap?) {
        let removed = bounds.removed.sequence
        guard let cursor else { return (removed, nil) }
        let isKnown = try bounds.knows(cursor.epoch, db)
        if isKnown, cursor.sequence >= removed { return (cursor.sequence, nil) }
        let first = isKnown ? cursor.sequence + 1 : 1
        let reason = isKnown ? JournalGap.Reason.retention : .unknownEpoch
        return (removed, JournalGap(first: first, last: removed, reason: reason))
    }

    private func rows(after start: UInt64, limit: Int) throws -> [EventRow] {
        let sql = """
            SELECT \(EventRow.columns) FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?
            """
        var rows: [EventRow] = []
        let statement = try db.cachedStatement(sql: sql)
        let found = try Row.fetchCursor(statement, arguments: [start.value, limit])
        while let row = try found.next() {
            let last = rows.last?.entry.sequence
            guard let row = EventRow.read(row) else {
                throw Damage("the event after \(last ?? start) has changed")
            }
            guard last.map({ row.previous == $0 }) ?? (row.previous <= start) else {
                throw Damage("events before \(row.entry.sequence) are missing")
            }
            rows.append(row)
        }
        let last = rows.last?.entry.sequence ?? start
        guard rows.count == limit || last >= bounds.newest.sequence else {
            throw Damage("events after \(last) are missing")
        }
        return rows
    }
}

/// A page-by-page reader of the events in a journal that may be damaged; it skips anything unreadable.
struct RowScan {
    /// An event's number and row; the row is nil if it has changed on disk.
    typealias Found = (sequence: UInt64, row: EventRow?)

    private static let pageSize = 500
    /// How many event numbers to try one by one to get past an unreadable database page, before taking larger steps.
    ///
    /// Even an unreadable interior page of the B-tree hides fewer rows than this.
    private static let tries = 4_000

    var isFormer = false
    private(set) var position: Int64 = 0

    mutating func next(_ db: Database) -> [Found]? {
        var step = Int64(1)
        var tried = 0
        while true {
            let (rows, isWhole) = rows(db)
            if let last = rows.last {
                position = Int64(clamping: last.sequence)
                return rows
            }
            // A page is unreadable. A search for a number after its rows does not read it, so try higher numbers.
            guard !isWhole, step < Int64.max / 4, position < Int64.max / 4 else { return nil }
            position += step
            tried += 1
            if tried > Self.tries { step *= 2 }
        }
    }

    private func rows(_ db: Database) -> (rows: [Found], isWhole: Bool) {
        let columns = isFormer ? FormerSchema.eventColumns : EventRow.columns
        let sql = """
            SELECT \(columns), sequence FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?
            """
        var rows: [Found] = []
        do {
            let found = try Row.fetchCursor(db, sql: sql, arguments: [position, Self.pageSize])
            while let row = try found.next() {
                guard let sequence = row.number(row.count - 1),
                    sequence > rows.last?.sequence ?? UInt64(position)
                else { continue }
                rows.append((sequence, isFormer ? FormerSchema.eventRow(row) : EventRow.read(row)))
            }
            return (rows, true)
        } catch {
            return (rows, false)
        }
    }
}
