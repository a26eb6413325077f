import GRDB

/// The open file of a journal, for the one thread that writes.
struct JournalDatabase: Sendable {
    let path: String
    let queue: DatabaseQueue
    private(set) var bounds: JournalBounds

    /// Opens a file, or creates a journal with the epoch that gives numbers above `reserved`.
    ///
    /// - Throws: ``JournalError``; ``FormerSchema`` for a journal of an earlier keywedge.
    init(
        opening path: String, epoch: Epoch = .new(), reserved: UInt64 = 0,
        wall: Int64 = JournalClock.Reading.now.wall
    ) throws {
        self.path = path
        do {
            if try JournalConnection.logHidesCommits(path) { throw Damage.ofLog }
            queue = try JournalConnection.writing(path: path)
        } catch {
            throw JournalError(error, path: path)
        }
        do {
            let moment = JournalClock.Moment(time: wall, wall: wall)
            let new = JournalBounds(epoch: epoch, reserved: reserved, moment: moment)
            bounds = try queue.writeWithoutTransaction { db in
                try Self.prepare(db, path, new)
                return try Self.readBounds(db)
            }
        } catch {
            // Now, and not when somebody else has the file open.
            JournalConnection.close(queue)
            if error is FormerSchema { throw error }
            throw JournalError(error, path: path)
        }
    }

    private static func prepare(_ db: Database, _ path: String, _ new: JournalBounds) throws {
        switch try JournalSchema.find(db) {
        case .somethingElse: throw JournalError.notAJournal(path: path)
        case .nothing: try JournalSchema.create(db, new)
        case .journal(let schema) where schema > JournalSchema.version:
            throw JournalError.newerSchema(
                path: path, found: schema, supported: JournalSchema.version)
        case .journal(let schema) where schema < JournalSchema.version: throw FormerSchema()
        case .journal: break
        }
        // From now on the file itself says that it is a journal, not only its log.
        _ = try JournalConnection.foldLog(db)
    }

    private static func readBounds(_ db: Database) throws -> JournalBounds {
        let bounds = try JournalBounds(db)
        let sql = "SELECT sequence, count, bytes FROM event ORDER BY sequence DESC LIMIT 1"
        let newest = try Row.fetchOne(db, sql: sql).map { row in
            guard let mark = JournalMark(row, from: 0) else {
                throw Damage("its newest event cannot be read")
            }
            return mark
        }
        guard newest ?? bounds.removed == bounds.newest else {
            throw Damage("its newest events are missing")
        }
        return bounds
    }

    /// Changes the file and the bounds in one commit, which is on the disk when this returns.
    ///
    /// - Throws: ``JournalError``; then nothing has changed.
    mutating func write<Value>(
        _ body: (Database, inout JournalBounds) throws -> Value
    ) throws -> Value {
        var bounds = bounds
        do {
            let value = try queue.writeWithoutTransaction { db in
                var value: Value?
                try db.inTransaction(.immediate) {
                    value = try body(db, &bounds)
                    if bounds != self.bounds { try bounds.write(db) }
                    return .commit
                }
                return value
            }
            guard let value else { throw Damage("a commit gave nothing") }
            self.bounds = bounds
            return value
        } catch {
            throw JournalError(error, path: path)
        }
    }

    /// Writes events and changes in one commit.
    ///
    /// The events have rising numbers. Dead letters that are larger than `letterLimit` lose the oldest.
    ///
    /// - Returns: The errors of changes that were refused, by their index, and what was lost.
    /// - Throws: ``JournalError``; then nothing is written.
    mutating func commit(
        _ entries: [JournalEntry], _ changes: [JournalChange] = [], letterLimit: UInt64 = .max,
        at moment: JournalClock.Moment? = nil
    ) throws -> (refused: [Int: any Error], loss: JournalLoss?) {
        try write { db, bounds in
            if let moment { bounds.moment = moment }
            for entry in entries where entry.sequence > bounds.newest.sequence {
                try bounds.append(EventRow(entry, after: bounds.newest, at: bounds.moment.time), db)
            }
            var refused: [Int: any Error] = [:]
            for (index, change) in changes.enumerated() {
                do {
                    try change.apply(db, bounds)
                } catch let error as JournalError {
                    refused[index] = error
                }
            }
            let hasLetters = changes.contains(where: \.addsDeadLetter)
            return (
                refused,
                hasLetters ? try DeadLetterRow.removeOldest(above: letterLimit, db) : nil
            )
        }
    }

    /// Reads outside of any commit.
    ///
    /// - Throws: ``JournalError``.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try queue.writeWithoutTransaction(body)
        } catch {
            throw JournalError(error, path: path)
        }
    }

    func close() { JournalConnection.close(queue) }
}

extension JournalBounds {
    /// Writes the next event.
    mutating func append(_ row: EventRow, _ db: Database) throws {
        try row.write(db)
        newest = row.mark
        reserved = max(reserved, newest.sequence)
    }
}

/// A change to what the journal knows about its readers, committed together with events.
struct JournalChange: Sendable {
    /// Makes the change; it gets the journal's bounds with all events of its commit.
    let apply: @Sendable (Database, JournalBounds) throws -> Void
    var addsDeadLetter = false
    /// Gets the result, once.
    let isDone: @Sendable (Result<Void, any Error>) -> Void
}
