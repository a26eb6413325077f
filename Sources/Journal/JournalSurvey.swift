package import Events
import GRDB
import Glibc

/// What a journal has, and how far its readers are behind.
package struct JournalSurvey: Equatable, Sendable {
    /// An event's number and time.
    package struct Place: Equatable, Sendable {
        package let sequence: UInt64
        package let time: EventTime
    }

    /// How far a reader is behind.
    package struct Lag: Equatable, Sendable {
        package let cursor: Cursor
        /// How many events are after the cursor.
        package let events: UInt64
        /// The oldest of them; nil if there is none.
        package let next: Place?
    }

    /// This life of the journal.
    package let epoch: Epoch
    /// How many events there are.
    package let events: UInt64
    package let oldest: Place?
    package let newest: Place?
    /// The size of the file and its log in bytes.
    package let size: UInt64
    package let readers: [JournalReader: Lag]
    /// The number of dead letters of each sink that has any.
    package let deadLetters: [String: Int]
}

/// Whether a journal accepts events.
package enum JournalCondition: Equatable, Sendable {
    case open
    /// It has no room, and gives events up.
    case full
    /// It cannot write at the moment: why, in words, and how many events wait in memory.
    case trouble(String, waiting: Int)
}

extension JournalSurvey {
    /// Reads a few rows, however many there are.
    init(_ db: Database, path: String) throws {
        let bounds = try JournalBounds(db)
        let removed = bounds.removed.sequence
        let end = bounds.newest.sequence
        readers = try JournalBounds.cursors(db).mapValues { cursor in
            let start = max(cursor.sequence, removed)
            return Lag(
                cursor: cursor,
                events: try bounds.newest.count - Self.count(upTo: start, db, bounds),
                next: start < end ? try Place(after: start, db) : nil)
        }
        epoch = bounds.epoch
        events = bounds.count
        oldest = try Place(after: removed, db)
        newest = end > removed ? try Place(after: end - 1, db) : nil
        size = [path, path + "-wal"].reduce(0) { sum, path in
            var status = stat()
            return stat(path, &status) == 0 ? sum + UInt64(max(0, status.st_size)) : sum
        }
        deadLetters = try DeadLetterRow.counts(db)
    }

    /// The number of events up to a number, removed ones included.
    private static func count(
        upTo sequence: UInt64, _ db: Database, _ bounds: JournalBounds
    ) throws -> UInt64 {
        let sql = "SELECT count FROM event WHERE sequence <= ? ORDER BY sequence DESC LIMIT 1"
        let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [sequence.value])
        let count = row.flatMap { $0.number(0) } ?? bounds.removed.count
        return min(max(count, bounds.removed.count), bounds.newest.count)
    }
}

extension JournalSurvey.Place {
    fileprivate init?(after sequence: UInt64, _ db: Database) throws {
        let sql = "SELECT sequence, time FROM event WHERE sequence > ? ORDER BY sequence LIMIT 1"
        let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [sequence.value])
        guard let row, let sequence = row.number(0), let time = row.integer(1) else { return nil }
        self.init(sequence: sequence, time: EventTime(microsecondsSince1970: time))
    }
}
