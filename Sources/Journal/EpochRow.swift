import GRDB

/// The rows of the table `epoch`: the lives of the journal before this one.
enum EpochRow {
    /// The highest number that an epoch may have given; nil for one that nobody knows.
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

    /// Writes down that an epoch has ended.
    static func add(_ epoch: Epoch, ended: UInt64, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO epoch (name, ended, hash) VALUES (?, ?, ?)",
            arguments: [epoch.description, Int64(clamping: ended), hash(epoch, ended).blob])
    }

    static func read(_ row: Row) throws -> (epoch: Epoch, ended: UInt64) {
        guard let epoch = row.text(0).flatMap(Epoch.init), let ended = row.integer(1),
            let hash = row.bytes(2), ended >= 0, hash == Self.hash(epoch, UInt64(ended))
        else { throw Damage("an earlier epoch has changed") }
        return (epoch, UInt64(ended))
    }

    private static func hash(_ epoch: Epoch, _ ended: UInt64) -> [UInt8] {
        var hash = RowHash()
        hash.add(epoch.description)
        hash.add(ended)
        return hash.value
    }
}
