import GRDB

/// The one row of the table `journal`.
struct JournalState: Equatable {
    /// This life of the journal.
    var epoch: Epoch
    /// No number above this one was given to an event.
    var reserved: UInt64
    /// The newest event that retention took, which the chain goes on from.
    var removed: ChainEnd
    /// The newest event.
    var newest: ChainEnd

    /// Reads the row.
    ///
    /// - Throws: ``Damage`` where it is not as it was written.
    init(_ db: Database) throws {
        let sql = """
            SELECT schema, epoch, reserved, removed, removed_hash, newest, newest_hash, hash FROM journal
            """
        guard let row = try Row.fetchOne(db, sql: sql), let schema = row.integer(0),
            let epoch = row.text(1).flatMap(Epoch.init), let reserved = row.integer(2),
            let removed = row.integer(3), let removedHash = row.bytes(4),
            let newest = row.integer(5), let newestHash = row.bytes(6), let hash = row.bytes(7),
            reserved >= 0, removed >= 0, newest >= 0
        else { throw Damage("its first row cannot be read") }
        self.epoch = epoch
        self.reserved = UInt64(reserved)
        self.removed = ChainEnd(sequence: UInt64(removed), hash: removedHash)
        self.newest = ChainEnd(sequence: UInt64(newest), hash: newestHash)
        guard hash == self.hash(schema: schema) else { throw Damage("its first row has changed") }
    }

    /// The state of an empty journal.
    init(epoch: Epoch, reserved: UInt64) {
        self.epoch = epoch
        self.reserved = reserved
        removed = .none
        newest = .none
    }

    /// The cursor ahead of the oldest event there is.
    var oldest: Cursor { Cursor(epoch: epoch, sequence: removed.sequence) }

    /// Writes the row.
    func write(to db: Database, schema: Int = JournalSchema.version) throws {
        let schema = Int64(schema)
        let sql = """
            INSERT OR REPLACE INTO journal (number, schema, epoch, reserved, removed, removed_hash,
                newest, newest_hash, hash) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try db.cachedStatement(sql: sql).execute(arguments: [
            schema, epoch.description, Int64(clamping: reserved),
            Int64(clamping: removed.sequence), removed.hash.blob,
            Int64(clamping: newest.sequence), newest.hash.blob, hash(schema: schema).blob,
        ])
    }

    private func hash(schema: Int64) -> [UInt8] {
        var hash = RowHash()
        hash.add(schema)
        hash.add(epoch.description)
        hash.add(reserved)
        hash.add(removed.sequence)
        hash.add(removed.hash)
        hash.add(newest.sequence)
        hash.add(newest.hash)
        return hash.value
    }
}

/// What shows that a journal is damaged, in words that go on from "it is damaged:".
struct Damage: Error, Equatable {
    let reason: String
    /// Whether the newest events may be hidden, so that the file does not say which numbers were given.
    let hidesTheEnd: Bool

    init(_ reason: String, hidesTheEnd: Bool = false) {
        self.reason = reason
        self.hidesTheEnd = hidesTheEnd
    }
}
