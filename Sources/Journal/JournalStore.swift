import Events
import GRDB

/// The open file of a journal, for the one thread that writes.
struct JournalStore: Sendable {
    let path: String
    let queue: DatabaseQueue
    private(set) var state: JournalState
    /// How many pages the file has, with those in its log, since the last commit.
    private(set) var pages: Int
    /// How many bytes a page has.
    let pageSize: Int

    /// Opens a file, makes it where there is none, and brings an older one up to date.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - epoch: The epoch of a journal that is made.
    ///   - reserved: Above every number that was given, for a journal that is made.
    /// - Throws: ``JournalTrouble``.
    init(opening path: String, epoch: Epoch = .new(), reserved: UInt64 = 0) throws {
        do {
            try JournalFiles.check(path)
            try LogCheck.run(beside: path)
            queue = try JournalConnection.writing(path: path)
        } catch {
            throw JournalTrouble(error)
        }
        self.path = path
        do {
            let new = JournalState(epoch: epoch, reserved: reserved)
            (state, pages, pageSize) = try queue.writeWithoutTransaction { db in
                let state = try Self.prepare(db, path: path, new: new)
                let size = try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 4_096
                return (state, try Self.countPages(db), size)
            }
        } catch {
            // Now, and not when somebody else has the file open.
            JournalConnection.close(queue)
            throw JournalTrouble(error)
        }
    }

    private static func prepare(
        _ db: Database, path: String, new: JournalState
    ) throws -> JournalState {
        switch try JournalSchema.find(db) {
        case .somethingElse: throw JournalError.notAJournal(path: path)
        case .nothing: try JournalSchema.prepare(db, from: 0, new)
        case .journal(let schema) where schema > JournalSchema.version:
            throw JournalError.newerSchema(
                path: path, found: schema, supported: JournalSchema.version)
        case .journal(let schema) where schema < JournalSchema.version:
            try JournalSchema.prepare(db, from: schema)
        case .journal: break
        }
        // From now on the file itself says that it is a journal, and not its log alone.
        _ = try JournalConnection.foldLog(db)
        let state = try JournalState(db)
        let sql = "SELECT sequence, hash FROM event ORDER BY sequence DESC LIMIT 1"
        let newest = try Row.fetchOne(db, sql: sql).map { row -> ChainEnd in
            guard let sequence = row.integer(0), let hash = row.bytes(1), sequence > 0 else {
                throw Damage("its newest event cannot be read")
            }
            return ChainEnd(sequence: UInt64(sequence), hash: hash)
        }
        guard newest ?? state.removed == state.newest else {
            throw Damage("its newest events are missing")
        }
        return state
    }

    /// Writes events and changes in one commit, which is on the disk when this returns.
    ///
    /// - Parameters:
    ///   - entries: The events, with rising numbers.
    ///   - changes: What changes with them.
    ///   - reserved: Up to where numbers may be given from then on; nil for as far as now.
    /// - Returns: What the changes say that cannot be made, by their place.
    /// - Throws: ``JournalTrouble``; nothing is written then.
    mutating func commit(
        _ entries: [JournalEntry], _ changes: [JournalChange] = [], reserved: UInt64? = nil
    ) throws -> [Int: any Error] {
        var state = state
        var refused: [Int: any Error] = [:]
        try transaction { [previous = self.state] db in
            for entry in entries {
                let row = EventRow(entry, after: state.newest)
                try row.insert(into: db)
                state.newest = row.end
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
            if state != previous { try state.write(to: db) }
        }
        self.state = state
        return refused
    }

    /// Begins the chain of an empty journal behind events that another one had.
    mutating func begin(behind removed: ChainEnd) throws {
        var state = state
        state.removed = removed
        state.newest = removed
        state.reserved = max(state.reserved, removed.sequence)
        try transaction { [state] in try state.write(to: $0) }
        self.state = state
    }

    /// Changes what the journal knows of its readers, in one commit.
    mutating func change(_ body: (Database) throws -> Void) throws { try transaction(body) }

    /// Takes away events from the oldest on, in one commit.
    ///
    /// - Parameter end: The last of them.
    /// - Throws: ``JournalTrouble``; nothing is taken away then.
    mutating func remove(upTo end: ChainEnd) throws {
        var state = state
        state.removed = end
        try transaction { [state] db in
            try db.execute(
                sql: "DELETE FROM event WHERE sequence <= ?",
                arguments: [Int64(clamping: end.sequence)])
            try db.execute(
                sql: "DELETE FROM hole WHERE last <= ?", arguments: [Int64(clamping: end.sequence)])
            try state.write(to: db)
        }
        self.state = state
    }

    /// Reads, outside of any commit.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try queue.writeWithoutTransaction(body)
        } catch {
            throw JournalTrouble(error)
        }
    }

    /// How many of the pages hold nothing.
    func freePages() throws -> Int {
        try read { try Int.fetchOne($0, sql: "PRAGMA freelist_count") ?? 0 }
    }

    private static func countPages(_ db: Database) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: "PRAGMA page_count")) ?? 0
    }

    /// Does something in one commit.
    private mutating func transaction(_ body: (Database) throws -> Void) throws {
        do {
            pages = try queue.writeWithoutTransaction { db in
                var pages = 0
                try db.inTransaction(.immediate) {
                    try body(db)
                    pages = try Self.countPages(db)
                    return .commit
                }
                return pages
            }
        } catch {
            throw JournalTrouble(error)
        }
    }

    /// Closes the file.
    func close() { JournalConnection.close(queue) }
}
