import GRDB

struct JournalDatabase: Sendable {
    let path: String
    let queue: DatabaseQueue
    private(set) var bounds: JournalBounds

    /// Opens or creates a journal; throws ``FormerSchema`` if the journal has an earlier schema.
    init(
        opening path: String, epoch: Epoch = .new(), reserved: UInt64 = 0,
        wall: Int64 = ClockReading.now.wall
    ) throws {
        self.path = path
        if try JournalConnection.logHidesCommits(path) { throw Damage.ofLog }
        queue = try JournalConnection.open(path, toWrite: true)
        do {
            let moment = JournalClock.Moment(time: wall, wall: wall)
            let new = JournalBounds(epoch: epoch, reserved: reserved, moment: moment)
            switch try queue.read({ try JournalSchema.find($0, path) }) {
            case .nothing: try queue.write { try JournalSchema.create($0, new) }
            case .former: throw FormerSchema()
            case .journal: break
            }
            // Moves a new journal's header and tables from the log to the file, which then identifies itself.
            _ = try queue.writeWithoutTransaction(JournalConnection.foldLog)
            bounds = try queue.read(Self.readBounds)
        } catch {
            // Close the connection now, while nothing else has the file open.
            JournalConnection.close(queue)
            throw error
        }
    }

    private static func readBounds(_ db: Database) throws -> JournalBounds {
        let bounds = try JournalBounds(db)
        let sql = "SELECT sequence, count, bytes FROM event ORDER BY sequence DESC LIMIT 1"
        let row = try Row.fetchOne(db, sql: sql)
        guard row.map({ JournalMark($0, from: 0) }) ?? bounds.removed == bounds.newest else {
            throw Damage("its newest events are missing")
        }
        return bounds
    }

    /// Changes the file and ``bounds`` in one commit; an error leaves both unchanged.
    mutating func write<Value>(
        _ body: (Database, inout JournalBounds) throws -> Value
    ) throws -> Value {
        var bounds = bounds
        let value = try queue.write { db in
            let value = try body(db, &bounds)
            if bounds != self.bounds { try bounds.write(db) }
            return value
        }
        self.bounds = bounds
        return value
    }

    /// Writes events and changes in one commit; skips events that the file already contains.
    ///
    /// - Returns: The errors of refused changes, keyed by their index in `changes`, and the dead letters that were
    ///   dropped because of `letterLimit`.
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
            guard changes.contains(where: \.addsDeadLetter) else { return (refused, nil) }
            return (refused, try DeadLetter.removeOldest(above: letterLimit, db))
        }
    }

    func close() { JournalConnection.close(queue) }
}

/// A change to cursors or dead letters, committed together with events.
struct JournalChange: Sendable {
    typealias Application = @Sendable (Database, JournalBounds) throws -> Void

    let apply: Application
    var addsDeadLetter = false
    let isDone: CursorRequests.Completion
}
