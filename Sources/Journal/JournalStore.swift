import Events
import GRDB

/// The open file of a journal, for the one thread that writes.
struct JournalStore: Sendable {
    let path: String
    let queue: DatabaseQueue
    private(set) var state: JournalState
    /// The size of the dead letters, or more, since another program may remove some; nil if unknown.
    private var letterSize: UInt64?
    /// Remembers the numbers beside a journal that is in its place.
    var lock: JournalLock?

    /// Opens a file, creates it if there is none, and converts an older one.
    ///
    /// A journal that is created gets the epoch, and gives numbers above `reserved`.
    ///
    /// - Throws: ``JournalTrouble``.
    init(
        opening path: String, epoch: Epoch = .new(), reserved: UInt64 = 0,
        now: JournalClock.Reading = .now
    ) throws {
        do {
            try JournalFiles.check(path)
            try LogCheck.run(beside: path)
            queue = try JournalConnection.writing(path: path)
        } catch {
            throw JournalTrouble(error)
        }
        self.path = path
        do {
            let moment = JournalClock.Moment(time: now.wall, wall: now.wall)
            let new = JournalState(epoch: epoch, reserved: reserved, moment: moment)
            state = try queue.writeWithoutTransaction { db in
                try Self.prepare(db, path: path, new: new)
                return try Self.readState(db)
            }
        } catch {
            // Now, and not when somebody else has the file open.
            JournalConnection.close(queue)
            throw JournalTrouble(error)
        }
    }

    private static func prepare(
        _ db: Database, path: String, new: JournalState
    ) throws {
        switch try JournalSchema.find(db) {
        case .somethingElse: throw JournalError.notAJournal(path: path)
        case .nothing: try JournalSchema.create(db, new)
        case .journal(let schema) where schema > JournalSchema.version:
            throw JournalError.newerSchema(
                path: path, found: schema, supported: JournalSchema.version)
        case .journal(let schema) where schema < JournalSchema.version:
            try FormerSchema.convert(db, from: schema)
        case .journal: break
        }
        // From now on the file itself says that it is a journal, not only its log.
        _ = try JournalConnection.foldLog(db)
    }

    private static func readState(_ db: Database) throws -> JournalState {
        let state = try JournalState(db)
        let sql = "SELECT sequence, count, bytes FROM event ORDER BY sequence DESC LIMIT 1"
        let newest = try Row.fetchOne(db, sql: sql).map { row in
            guard let mark = JournalMark(row, from: 0), mark.sequence > 0 else {
                throw Damage("its newest event cannot be read")
            }
            return mark
        }
        guard newest ?? state.removed == state.newest else {
            throw Damage("its newest events are missing")
        }
        return state
    }

    /// Writes events and changes in one commit, which is on the disk when this returns.
    ///
    /// The events have rising numbers. `reserved` is the highest number that may be given from then on,
    /// and `moment` the time; nil keeps what the last commit wrote.
    ///
    /// - Returns: The errors of changes that were refused, by their index.
    /// - Throws: ``JournalTrouble``; then nothing is written.
    mutating func commit(
        _ entries: [JournalEntry], _ changes: [JournalChange] = [], reserved: UInt64? = nil,
        at moment: JournalClock.Moment? = nil
    ) throws -> [Int: any Error] {
        var state = state
        if let moment { state.moment = moment }
        var refused: [Int: any Error] = [:]
        // At no time does the witness know of numbers of which the journal does not.
        if let reserved, reserved < state.reserved { try witness(state.epoch, reserved) }
        try transaction { [former = self.state] db in
            for entry in entries {
                let row = EventRow(entry, after: state.newest, at: state.moment.time)
                try row.insert(into: db)
                state.newest = row.mark
            }
            for (index, change) in changes.enumerated() {
                do {
                    try change.apply(db, state)
                } catch let error as JournalError {
                    refused[index] = error
                }
            }
            if let reserved { state.reserved = reserved }
            state.reserved = max(state.reserved, state.newest.sequence)
            if state != former { try state.write(to: db) }
        }
        // A witness that lags may miss a restored copy, and is no reason to give up events.
        if state.reserved > self.state.reserved { try? witness(state.epoch, state.reserved) }
        self.state = state
        letterSize = letterSize.map { size in changes.reduce(size) { $0 + $1.letterSize } }
        return refused
    }

    private func witness(_ epoch: Epoch, _ reserved: UInt64) throws {
        do {
            try lock?.record(JournalWitness(epoch: epoch, reserved: reserved))
        } catch {
            throw JournalTrouble(error)
        }
    }

    /// Begins an epoch after others, of which numbers up to `highest` may have been given.
    ///
    /// - Throws: ``JournalTrouble``; then nothing is written.
    mutating func begin(_ epoch: Epoch, after highest: UInt64, ending ended: Set<Epoch>) throws {
        var state = state
        state.epoch = epoch
        state.reserved = max(state.reserved, highest)
        let end = state.newest.sequence
        try transaction { [state] db in
            for epoch in ended { try EpochRow.add(epoch, ended: state.reserved, db) }
            if end < state.reserved { try LostRangeRow.add(end + 1...state.reserved, db) }
            try state.write(to: db)
        }
        self.state = state
    }

    /// Writes events of another journal, each with the time at which that one wrote it.
    ///
    /// - Throws: ``JournalTrouble``; then nothing is written.
    mutating func copy(_ rows: [EventRow]) throws {
        var state = state
        try transaction { db in
            for row in rows {
                let time = max(state.moment.time, row.clock)
                let new = EventRow(row.entry, after: state.newest, at: time)
                try new.insert(into: db)
                state.newest = new.mark
                state.moment = JournalClock.Moment(
                    time: time, wall: row.entry.time.microsecondsSince1970)
            }
            state.reserved = max(state.reserved, state.newest.sequence)
            try state.write(to: db)
        }
        self.state = state
    }

    /// Makes an empty journal continue after events that another journal had, before ``copy(_:)``.
    mutating func begin(after removed: UInt64) throws {
        var state = state
        state.removed.sequence = removed
        state.newest.sequence = removed
        state.reserved = max(state.reserved, removed)
        state.moment = JournalClock.Moment(time: 0, wall: 0)
        try transaction { [state] in try state.write(to: $0) }
        self.state = state
    }

    /// Changes what the journal knows about its readers, in one commit.
    func change(_ body: (Database) throws -> Void) throws { try transaction(body) }

    /// Removes the oldest events up to a place, in one commit.
    ///
    /// - Throws: ``JournalTrouble``; then nothing is removed.
    mutating func remove(upTo end: JournalMark) throws {
        var state = state
        state.removed = end
        let last = Int64(clamping: end.sequence)
        try transaction { [state] db in
            try db.execute(sql: "DELETE FROM event WHERE sequence <= ?", arguments: [last])
            try db.execute(sql: "DELETE FROM hole WHERE last <= ?", arguments: [last])
            try state.write(to: db)
        }
        self.state = state
    }

    /// Whether the dead letters are larger than a limit; counts them only if they may be.
    mutating func lettersExceed(_ limit: UInt64) throws -> Bool {
        if let letterSize, letterSize <= limit { return false }
        let size = try read(DeadLetterRow.size)
        letterSize = size
        return size > limit
    }

    /// Removes some of the oldest dead letters, in one commit, while they are larger than a limit.
    mutating func removeLetters(downTo limit: UInt64) throws -> JournalLoss? {
        var loss: JournalLoss?
        try transaction { db in
            let size = try DeadLetterRow.size(db)
            if size > limit { loss = try DeadLetterRow.removeOldest(freeing: size - limit, db) }
        }
        letterSize = nil
        return loss
    }

    /// Reads outside of any commit.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try queue.writeWithoutTransaction(body)
        } catch {
            throw JournalTrouble(error)
        }
    }

    private func transaction(_ body: (Database) throws -> Void) throws {
        do {
            try queue.writeWithoutTransaction { db in
                try db.inTransaction(.immediate) {
                    try body(db)
                    return .commit
                }
            }
        } catch {
            throw JournalTrouble(error)
        }
    }

    func close() { JournalConnection.close(queue) }
}

/// A change to what the journal knows about its readers, committed together with events.
struct JournalChange: Sendable {
    /// Makes the change; it gets the journal's state with all events of its commit.
    let apply: @Sendable (Database, JournalState) throws -> Void
    /// The size of the dead letter that it adds.
    var letterSize: UInt64 = 0
    /// Gets the result, once.
    let isDone: @Sendable (Result<Void, any Error>) -> Void
}
