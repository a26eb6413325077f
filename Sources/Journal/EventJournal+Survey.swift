package import Events
import GRDB
import Glibc
import Synchronization

/// What there is in a journal, and how far its readers are behind.
package struct JournalSurvey: Equatable, Sendable {
    /// An event, by its place.
    package struct Place: Equatable, Sendable {
        /// Its number.
        package let sequence: UInt64
        /// Its time.
        package let time: EventTime
    }

    /// How far a reader is behind.
    package struct Lag: Equatable, Sendable {
        /// How far it got.
        package let cursor: Cursor
        /// How many events it has not taken.
        package let events: UInt64
        /// The oldest of them; nil where there is none.
        package let next: Place?
    }

    /// This life of the journal.
    package let epoch: Epoch
    /// How many events there are.
    package let events: UInt64
    /// The oldest event.
    package let oldest: Place?
    /// The newest event.
    package let newest: Place?
    /// How many bytes the file has, with its log.
    package let size: UInt64
    /// All readers.
    package let readers: [JournalReader: Lag]
    /// How many dead letters each sink has that has any.
    package let deadLetters: [String: Int]
}

/// Whether a journal takes events.
package enum JournalCondition: Equatable, Sendable {
    /// It does.
    case open
    /// It has no room for them: they are given up.
    case full
    /// It does not at the moment: why, in words. So many events wait in memory.
    case trouble(String, waiting: Int)
}

extension EventJournal {
    /// Whether the journal takes events.
    package var condition: JournalCondition {
        state.withLock { state in
            if let trouble = state.trouble {
                return .trouble("\(trouble)", waiting: state.pending.entries.count)
            }
            return state.pending.isFull || state.isLossTold ? .full : .open
        }
    }

    /// Looks at what there is; a few rows are read, however many there are.
    ///
    /// - Returns: What there is.
    /// - Throws: ``JournalError``; it is worth another try after a while.
    package func survey() async throws -> JournalSurvey {
        let path = settings.file
        return try await read { db in
            try JournalSurvey(db, JournalState(db), size: JournalSurvey.size(of: path))
        }
    }
}

extension JournalSurvey {
    fileprivate init(
        _ db: Database, _ state: JournalState, size: UInt64
    ) throws {
        let removed = state.removed.sequence
        let end = state.newest.sequence
        readers = try CursorRow.all(db).mapValues { sequence in
            let start = max(sequence, removed)
            return Lag(
                cursor: Cursor(epoch: state.epoch, sequence: sequence),
                events: try state.newest.count - Self.count(upTo: start, db, state),
                next: start < end ? try Place.first(after: start, db) : nil)
        }
        epoch = state.epoch
        events = state.count
        oldest = try Place.first(after: removed, db)
        newest = end > removed ? try Place.first(after: end - 1, db) : nil
        self.size = size
        deadLetters = try DeadLetterRow.counts(db)
    }

    /// The number of events up to a number, removed ones included.
    private static func count(
        upTo sequence: UInt64, _ db: Database, _ state: JournalState
    ) throws -> UInt64 {
        let sql = "SELECT count FROM event WHERE sequence <= ? ORDER BY sequence DESC LIMIT 1"
        let row = try Row.fetchOne(
            db.cachedStatement(sql: sql), arguments: [Int64(clamping: sequence)])
        let count = row.flatMap { $0.number(0) } ?? state.removed.count
        return min(max(count, state.removed.count), state.newest.count)
    }

    fileprivate static func size(of path: String) -> UInt64 {
        [path, path + "-wal"].reduce(0) { sum, path in
            var status = stat()
            return stat(path, &status) == 0 ? sum + UInt64(max(0, status.st_size)) : sum
        }
    }
}

extension JournalSurvey.Place {
    fileprivate static func first(after sequence: UInt64, _ db: Database) throws -> Self? {
        let sql = "SELECT sequence, time FROM event WHERE sequence > ? ORDER BY sequence LIMIT 1"
        let row = try Row.fetchOne(
            db.cachedStatement(sql: sql), arguments: [Int64(clamping: sequence)])
        guard let row, let sequence = row.integer(0), let time = row.integer(1), sequence > 0
        else { return nil }
        return Self(
            sequence: UInt64(sequence), time: EventTime(microsecondsSince1970: time))
    }
}
