import GRDB

/// A row of the table `cursor`: a reader's position, as an event number in the current epoch.
///
/// If the row is damaged on disk, the cursor counts as 0: the reader gets all events again, but misses none.
struct CursorRow {
    let reader: JournalReader
    let sequence: UInt64

    static func all(_ db: Database) throws -> [JournalReader: UInt64] {
        try rows(db).reduce(into: [:]) { cursors, row in
            if let reader = reader(row) { cursors[reader] = read(row)?.sequence ?? 0 }
        }
    }

    static func remove(_ reader: JournalReader, _ db: Database) throws {
        let sql = "DELETE FROM cursor WHERE kind = ? AND name = ?"
        try db.execute(sql: sql, arguments: [reader.kind, reader.name])
    }

    /// Resets damaged cursors to 0.
    ///
    /// If a cursor is damaged, or if `isMissing` is true, each sink in `sinks` without a cursor gets one at 0, because
    /// the lost cursor may have belonged to that sink.
    static func repair(for sinks: Set<String>, isMissing: Bool = false, _ db: Database) throws {
        guard try isMissing || rows(db).contains(where: { read($0) == nil }) else { return }
        let all = try all(db).merging(sinks.map { (.sink($0), 0) }) { known, _ in known }
        try db.execute(sql: "DELETE FROM cursor")
        for (reader, sequence) in all { try Self(reader: reader, sequence: sequence).write(db) }
    }

    private static func rows(_ db: Database) throws -> [Row] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT \(columns) FROM cursor"))
    }

    private static func reader(_ row: Row) -> JournalReader? {
        guard let name = row.text(1) else { return nil }
        return [.sink(name), .consumer(name)].first { $0.kind == row.text(0) }
    }
}

extension CursorRow: JournalRow {
    static let table = "cursor"
    static let hashed = ["kind", "name", "sequence"]

    init?(_ row: Row) {
        guard let reader = Self.reader(row), let sequence = row.number(2) else { return nil }
        self.init(reader: reader, sequence: sequence)
    }

    var hashedValues: [DatabaseValue] {
        [reader.kind.databaseValue, reader.name.databaseValue, sequence.value]
    }
}

/// A row of the table `epoch`: an earlier epoch, and the highest number that may have been assigned in it.
///
/// Cursors from an earlier epoch stay valid, because numbers are never reused.
struct EpochRow {
    let epoch: Epoch
    let ended: UInt64

    static func isKnown(_ epoch: Epoch, _ db: Database) throws -> Bool {
        try !fetchAll(db, "WHERE name = ?", [epoch.description]).isEmpty
    }
}

extension EpochRow: JournalRow {
    static let table = "epoch"
    static let hashed = ["name", "ended"]

    init?(_ row: Row) {
        guard let epoch = row.text(0).flatMap(Epoch.init), let ended = row.number(1)
        else { return nil }
        self.init(epoch: epoch, ended: ended)
    }

    var hashedValues: [DatabaseValue] { [epoch.description.databaseValue, ended.value] }
}

/// The table `hole`, with the ranges of events that may have been lost.
enum LostRange {
    static func all(_ db: Database, _ rest: String = "") throws -> [ClosedRange<UInt64>] {
        try Row.fetchAll(db, sql: "SELECT first, last FROM hole \(rest)").map { row in
            guard let range = read(row) else { throw Damage("a lost range has changed") }
            return range
        }
    }

    static func first(after sequence: UInt64, _ db: Database) throws -> ClosedRange<UInt64>? {
        try all(db, "WHERE last > \(Int64(clamping: sequence)) ORDER BY first LIMIT 1").first
    }

    static func add(_ range: ClosedRange<UInt64>, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO hole (first, last) VALUES (?, ?)",
            arguments: [range.lowerBound.value, range.upperBound.value])
    }

    static func read(_ row: Row) -> ClosedRange<UInt64>? {
        guard let first = row.number(0), let last = row.number(1), first > 0, first <= last
        else { return nil }
        return first...last
    }
}
