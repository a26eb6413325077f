import GRDB

/// The rows of the table `cursor`: how far each reader got, as numbers of the present epoch.
enum CursorRow {
    /// How far a reader got; nil where it has no cursor.
    static func sequence(of reader: JournalReader, _ db: Database) throws -> UInt64? {
        let sql = "SELECT kind, name, sequence, hash FROM cursor WHERE kind = ? AND name = ?"
        let row = try Row.fetchOne(
            db.cachedStatement(sql: sql), arguments: [reader.kind, reader.name])
        return try row.map { try read($0).sequence }
    }

    /// All cursors.
    static func all(_ db: Database) throws -> [JournalReader: UInt64] {
        let rows = try Row.fetchAll(db, sql: "SELECT kind, name, sequence, hash FROM cursor")
        return try rows.reduce(into: [:]) { cursors, row in
            let (reader, sequence) = try read(row)
            cursors[reader] = sequence
        }
    }

    /// Sets a cursor.
    static func set(_ reader: JournalReader, to sequence: UInt64, _ db: Database) throws {
        let sql = "INSERT OR REPLACE INTO cursor (kind, name, sequence, hash) VALUES (?, ?, ?, ?)"
        try db.cachedStatement(sql: sql).execute(arguments: [
            reader.kind, reader.name, Int64(clamping: sequence), hash(reader, sequence).blob,
        ])
    }

    /// Forgets a reader.
    static func remove(_ reader: JournalReader, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM cursor WHERE kind = ? AND name = ?",
            arguments: [reader.kind, reader.name])
    }

    /// Reads a row.
    ///
    /// - Throws: ``Damage`` where it is not as it was written.
    static func read(_ row: Row) throws -> (reader: JournalReader, sequence: UInt64) {
        guard let kind = row.text(0), let name = row.text(1), let sequence = row.integer(2),
            let hash = row.bytes(3), sequence >= 0,
            let reader = JournalReader(kind: kind, name: name),
            hash == Self.hash(reader, UInt64(sequence))
        else { throw Damage("a cursor has changed") }
        return (reader, UInt64(sequence))
    }

    private static func hash(_ reader: JournalReader, _ sequence: UInt64) -> [UInt8] {
        var hash = RowHash()
        hash.add(reader.kind)
        hash.add(reader.name)
        hash.add(sequence)
        return hash.value
    }
}
