import GRDB

/// The rows of the table `hole`: numbers of events that were lost with a damaged journal.
enum LostRangeRow {
    /// The first hole that reaches behind a number.
    static func first(behind sequence: UInt64, _ db: Database) throws -> ClosedRange<UInt64>? {
        let sql = "SELECT first, last FROM hole WHERE last > ? ORDER BY first LIMIT 1"
        let row = try Row.fetchOne(
            db.cachedStatement(sql: sql), arguments: [Int64(clamping: sequence)])
        return try row.map { row in
            guard let hole = read(row) else { throw Damage("a hole has changed") }
            return hole
        }
    }

    /// Adds a hole.
    static func add(_ hole: ClosedRange<UInt64>, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO hole (first, last) VALUES (?, ?)",
            arguments: [Int64(clamping: hole.lowerBound), Int64(clamping: hole.upperBound)])
    }

    /// Reads a row; nil where it cannot be.
    static func read(_ row: Row) -> ClosedRange<UInt64>? {
        guard let first = row.integer(0), let last = row.integer(1), first > 0, first <= last else {
            return nil
        }
        return UInt64(first)...UInt64(last)
    }
}
