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

extension EventJournal {
    /// How long ``survey()`` waits for a disk that is slow to write.
    private static let patience = Duration.seconds(2)

    /// Looks at what there is; this reads a few rows, however many there are.
    ///
    /// A status must be given also while the disk hangs, so this does not wait for long.
    ///
    /// - Throws: ``JournalError``; a later try may succeed.
    package func survey() async throws -> JournalSurvey {
        let path = settings.file
        let (answers, answer) = AsyncStream<Result<JournalSurvey, any Error>>.makeStream()
        Task {
            do {
                answer.yield(.success(try await read { try JournalSurvey($0, path: path) }))
            } catch {
                answer.yield(.failure(error))
            }
        }
        let timeout = Task {
            try await Task.sleep(for: Self.patience)
            let reason = "its disk has not answered for \(Self.patience)"
            answer.yield(.failure(JournalError.failed(path: path, reason: reason)))
        }
        defer { timeout.cancel() }
        for await result in answers { return try result.get() }
        throw CancellationError()
    }
}

extension JournalSurvey {
    fileprivate init(_ db: Database, path: String) throws {
        let state = try JournalState(db)
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
        size = Self.size(of: path)
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
