import GRDB

/// A row of the table `cursor`: how far a reader got, as a number of the present epoch.
///
/// A row that has changed counts as a cursor at 0: its reader gets everything again, and nothing is lost.
struct CursorRow: JournalRow {
    static let table = "cursor"
    static let hashed = ["kind", "name", "sequence"]

    let reader: JournalReader
    let sequence: UInt64

    init(_ reader: JournalReader, _ sequence: UInt64) {
        self.reader = reader
        self.sequence = sequence
    }

    init?(_ row: Row) {
        guard let reader = Self.reader(row), let sequence = row.number(2) else { return nil }
        self.init(reader, sequence)
    }

    var hashedValues: [DatabaseValue] {
        [reader.kind.databaseValue, reader.name.databaseValue, sequence.value]
    }

    /// All cursors.
    static func all(_ db: Database) throws -> [JournalReader: UInt64] {
        try rows(db).reduce(into: [:]) { cursors, row in
            if let reader = reader(row) { cursors[reader] = read(row)?.sequence ?? 0 }
        }
    }

    static func remove(_ reader: JournalReader, _ db: Database) throws {
        try remove(reader.kind.databaseValue, reader.name.databaseValue, db)
    }

    /// Sets cursors that have changed to 0; and if one has, or is missing, those of the sinks that have
    /// none, since its name may have been theirs.
    static func repair(for sinks: Set<String>, isMissing: Bool = false, _ db: Database) throws {
        let changed = try rows(db).filter { read($0) == nil }
        guard isMissing || !changed.isEmpty else { return }
        for row in changed {
            try remove(row[0], row[1], db)
            if let reader = reader(row) { try Self(reader, 0).write(db) }
        }
        let known = try all(db)
        for sink in sinks where known[.sink(sink)] == nil { try Self(.sink(sink), 0).write(db) }
    }

    private static func rows(_ db: Database) throws -> [Row] {
        try Row.fetchAll(db.cachedStatement(sql: "SELECT \(columns) FROM cursor"))
    }

    private static func reader(_ row: Row) -> JournalReader? {
        guard let kind = row.text(0), let name = row.text(1) else { return nil }
        return JournalReader(kind: kind, name: name)
    }

    private static func remove(
        _ kind: DatabaseValue, _ name: DatabaseValue, _ db: Database
    ) throws {
        try db.execute(
            sql: "DELETE FROM cursor WHERE kind = ? AND name = ?", arguments: [kind, name])
    }
}

/// A row of the table `epoch`: a life of the journal before this one. Its cursors stay valid, since
/// numbers are never reused.
struct EpochRow: JournalRow {
    static let table = "epoch"
    static let hashed = ["name", "ended"]

    let epoch: Epoch
    /// The highest number that it may have given.
    let ended: UInt64

    init(_ epoch: Epoch, ended: UInt64) {
        self.epoch = epoch
        self.ended = ended
    }

    init?(_ row: Row) {
        guard let epoch = row.text(0).flatMap(Epoch.init), let ended = row.number(1) else {
            return nil
        }
        self.init(epoch, ended: ended)
    }

    var hashedValues: [DatabaseValue] { [epoch.description.databaseValue, ended.value] }

    static func isKnown(_ epoch: Epoch, _ db: Database) throws -> Bool {
        try !fetchAll(db, "WHERE name = ?", [epoch.description]).isEmpty
    }
}

/// The rows of the table `hole`: numbers of events that may have been lost with a damaged journal.
enum LostRange {
    static func all(_ db: Database, _ rest: String = "") throws -> [ClosedRange<UInt64>] {
        try Row.fetchAll(db, sql: "SELECT first, last FROM hole \(rest)").map { row in
            guard let range = read(row) else { throw Damage("a lost range has changed") }
            return range
        }
    }

    /// The first lost range that ends after a number.
    static func first(after sequence: UInt64, _ db: Database) throws -> ClosedRange<UInt64>? {
        let last = Int64(clamping: sequence)
        return try all(db, "WHERE last > \(last) ORDER BY first LIMIT 1").first
    }

    static func add(_ range: ClosedRange<UInt64>, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO hole (first, last) VALUES (?, ?)",
            arguments: [range.lowerBound.value, range.upperBound.value])
    }

    /// Reads the columns `first` and `last`; nil if they make no sense.
    static func read(_ row: Row) -> ClosedRange<UInt64>? {
        guard let first = row.number(0), let last = row.number(1), first > 0, first <= last else {
            return nil
        }
        return first...last
    }
}
