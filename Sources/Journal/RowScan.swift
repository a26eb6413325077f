import GRDB

/// Reads the events of a journal that may be damaged, and steps over what cannot be read.
enum RowScan {
    /// How many rows are read at once.
    private static let chunk = 500
    /// How many numbers are tried one by one behind a place that cannot be read: more than there are
    /// rows under one page of pages.
    private static let tries = 4_000

    /// Reads the next rows.
    ///
    /// - Parameters:
    ///   - db: The database.
    ///   - position: Behind which number; it is moved behind what was read.
    /// - Returns: The rows, nil for one that cannot be understood; nil at the end.
    static func nextRows(_ db: Database, from position: inout Int64) -> [EventRow?]? {
        var step = Int64(1)
        var tried = 0
        while true {
            let (rows, last, isWhole) = rows(db, behind: position)
            if last > position {
                position = last
                return rows
            }
            guard !isWhole else { return nil }
            // A page in the way: its rows have numbers near these, and the pages behind are found
            // through pages above it.
            guard step < Int64.max / 4, position < Int64.max / 4 else { return nil }
            position += step
            tried += 1
            if tried > tries { step *= 2 }
        }
    }

    private static func rows(
        _ db: Database, behind position: Int64
    ) -> (rows: [EventRow?], last: Int64, isWhole: Bool) {
        let sql = """
            SELECT \(EventRow.columns) FROM event WHERE sequence > ? ORDER BY sequence LIMIT ?
            """
        var rows: [EventRow?] = []
        var last = position
        do {
            let found = try Row.fetchCursor(db, sql: sql, arguments: [position, chunk])
            while let row = try found.next() {
                guard let sequence = row.integer(0), sequence > last else { continue }
                last = sequence
                rows.append(EventRow(row))
            }
            return (rows, last, true)
        } catch {
            return (rows, last, false)
        }
    }
}
