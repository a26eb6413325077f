import CLinux
package import Events
import GRDB
import Glibc

package struct JournalSurvey: Equatable, Sendable {
    package struct Place: Equatable, Sendable {
        package let sequence: UInt64
        package let time: EventTime
    }

    package struct Lag: Equatable, Sendable {
        package let cursor: Cursor
        package let events: UInt64
        package let next: Place?
    }

    /// The cursor immediately before the oldest event.
    package let start: Cursor
    package let events: UInt64
    package let oldest: Place?
    package let newest: Place?
    /// The size of the journal's file and its write-ahead log (WAL) together, in bytes.
    package let size: UInt64
    package let readers: [JournalReader: Lag]
    package let deadLetters: [String: Int]

    init(_ db: Database, path: String) throws {
        let bounds = try JournalBounds(db)
        readers = try JournalBounds.cursors(db).mapValues { cursor in
            let next = try Self.first(after: max(cursor.sequence, bounds.removed.sequence), db)
            // Each row contains a running count, so the rows after the cursor need not be counted.
            let count = next.map { bounds.newest.count - min($0.count, bounds.newest.count) + 1 }
            return Lag(cursor: cursor, events: count ?? 0, next: next?.place)
        }
        start = bounds.oldest
        events = bounds.count
        oldest = try Self.first(after: bounds.removed.sequence, db)?.place
        newest = try Self.first(after: max(bounds.newest.sequence, 1) - 1, db)?.place
        size = [path, path + "-wal"].reduce(0) { sum, path in
            var status = stat()
            return stat(path, &status) == 0 ? sum + UInt64(max(0, status.st_size)) : sum
        }
        deadLetters = try DeadLetter.counts(db)
    }

    private static func first(
        after sequence: UInt64, _ db: Database
    ) throws -> (place: Place, count: UInt64)? {
        let sql = """
            SELECT sequence, time, count FROM event WHERE sequence > ? ORDER BY sequence LIMIT 1
            """
        let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [sequence.value])
        guard let row, let sequence = row.number(0), let time = row.integer(1),
            let count = row.number(2)
        else { return nil }
        let place = Place(sequence: sequence, time: EventTime(microsecondsSince1970: time))
        return (place, count)
    }
}

package enum JournalCondition: Equatable, Sendable {
    case open
    /// The journal or its queue in memory is full, and events are dropped.
    case full
    /// Nothing can be written now. The string is a sentence that gives the reason, and `waiting` is the number of
    /// events in memory.
    case trouble(String, waiting: Int)
}
