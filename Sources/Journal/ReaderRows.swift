import GRDB

/// The rows of the table `cursor`: how far each reader got, as numbers of the present epoch.
///
/// A row that has changed counts as a cursor at 0: its reader gets everything again, and nothing is lost.
enum CursorRow {
    /// How far a reader got; nil if it has no cursor.
    static func sequence(of reader: JournalReader, _ db: Database) throws -> UInt64? {
        let sql = "SELECT kind, name, sequence, hash FROM cursor WHERE kind = ? AND name = ?"
        let row = try Row.fetchOne(
            db.cachedStatement(sql: sql), arguments: [reader.kind, reader.name])
        return row.map { read($0)?.sequence ?? 0 }
    }

    /// All cursors.
    static func all(_ db: Database) throws -> [JournalReader: UInt64] {
        let rows = try Row.fetchAll(db, sql: "SELECT kind, name, sequence, hash FROM cursor")
        return rows.reduce(into: [:]) { cursors, row in
            guard let kind = row.text(0), let name = row.text(1),
                let reader = JournalReader(kind: kind, name: name)
            else { return }
            cursors[reader] = read(row)?.sequence ?? 0
        }
    }

    static func set(_ reader: JournalReader, to sequence: UInt64, _ db: Database) throws {
        let sql = "INSERT OR REPLACE INTO cursor (kind, name, sequence, hash) VALUES (?, ?, ?, ?)"
        try db.cachedStatement(sql: sql).execute(arguments: [
            reader.kind, reader.name, Int64(clamping: sequence), hash(reader, sequence).blob,
        ])
    }

    static func remove(_ reader: JournalReader, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM cursor WHERE kind = ? AND name = ?",
            arguments: [reader.kind, reader.name])
    }

    /// Removes rows that have changed, and sets the sinks that have none left to 0: the name may have
    /// been what changed.
    static func repair(for sinks: Set<String>, _ db: Database) throws {
        let rows = try Row.fetchAll(db, sql: "SELECT kind, name, sequence, hash FROM cursor")
        let changed = rows.filter { read($0) == nil }
        guard !changed.isEmpty else { return }
        for row in changed {
            try db.execute(
                sql: "DELETE FROM cursor WHERE kind = ? AND name = ?",
                arguments: [row[0] as DatabaseValue, row[1] as DatabaseValue])
            if let kind = row.text(0), let name = row.text(1),
                let reader = JournalReader(kind: kind, name: name)
            {
                try set(reader, to: 0, db)
            }
        }
        let known = try all(db)
        for sink in sinks where known[.sink(sink)] == nil { try set(.sink(sink), to: 0, db) }
    }

    /// Reads a row; nil if it is not as it was written.
    static func read(_ row: Row) -> (reader: JournalReader, sequence: UInt64)? {
        guard let kind = row.text(0), let name = row.text(1), let sequence = row.number(2),
            let hash = row.bytes(3), let reader = JournalReader(kind: kind, name: name),
            hash == Self.hash(reader, sequence)
        else { return nil }
        return (reader, sequence)
    }

    private static func hash(_ reader: JournalReader, _ sequence: UInt64) -> [UInt8] {
        var hash = RowHash()
        hash.add(reader.kind)
        hash.add(reader.name)
        hash.add(sequence)
        return hash.value
    }
}

/// The rows of the table `epoch`: the lives of the journal before this one.
enum EpochRow {
    /// The highest number that an epoch may have given; nil for an unknown epoch.
    static func end(of epoch: Epoch, _ db: Database) throws -> UInt64? {
        let sql = "SELECT name, ended, hash FROM epoch WHERE name = ?"
        return try Row.fetchOne(db, sql: sql, arguments: [epoch.description])
            .map { try read($0).ended }
    }

    /// All epochs that have ended.
    static func all(_ db: Database) throws -> [Epoch: UInt64] {
        let rows = try Row.fetchAll(db, sql: "SELECT name, ended, hash FROM epoch")
        return try rows.reduce(into: [:]) { epochs, row in
            let (epoch, ended) = try read(row)
            epochs[epoch] = ended
        }
    }

    static func add(_ epoch: Epoch, ended: UInt64, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO epoch (name, ended, hash) VALUES (?, ?, ?)",
            arguments: [epoch.description, Int64(clamping: ended), hash(epoch, ended).blob])
    }

    static func read(_ row: Row) throws -> (epoch: Epoch, ended: UInt64) {
        guard let epoch = row.text(0).flatMap(Epoch.init), let ended = row.number(1),
            let hash = row.bytes(2), hash == Self.hash(epoch, ended)
        else { throw Damage("an earlier epoch has changed") }
        return (epoch, ended)
    }

    private static func hash(_ epoch: Epoch, _ ended: UInt64) -> [UInt8] {
        var hash = RowHash()
        hash.add(epoch.description)
        hash.add(ended)
        return hash.value
    }
}

/// The rows of the table `hole`: numbers of events that were lost with a damaged journal.
enum LostRangeRow {
    /// The first lost range that ends after a number.
    static func first(after sequence: UInt64, _ db: Database) throws -> ClosedRange<UInt64>? {
        let sql = "SELECT first, last FROM hole WHERE last > ? ORDER BY first LIMIT 1"
        let row = try Row.fetchOne(
            db.cachedStatement(sql: sql), arguments: [Int64(clamping: sequence)])
        return try row.map { row in
            guard let range = read(row) else { throw Damage("a hole has changed") }
            return range
        }
    }

    static func add(_ range: ClosedRange<UInt64>, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO hole (first, last) VALUES (?, ?)",
            arguments: [Int64(clamping: range.lowerBound), Int64(clamping: range.upperBound)])
    }

    /// Reads a row; nil if it makes no sense.
    static func read(_ row: Row) -> ClosedRange<UInt64>? {
        guard let first = row.number(0), let last = row.number(1), first > 0, first <= last else {
            return nil
        }
        return first...last
    }
}
