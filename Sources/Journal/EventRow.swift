import Events
import GRDB

/// A row of the table `event`: an event, and its place among the others.
///
/// A row's own hash shows that it is as it was written; ``previous`` and the count in ``mark`` show
/// that none is missing before it.
struct EventRow: Equatable {
    let entry: JournalEntry
    /// The number of the event before; 0 for the first.
    let previous: UInt64
    let mark: JournalMark
    /// The time by ``JournalClock`` at which the event was written.
    let clock: Int64
    /// Whether the row is as it was written.
    let isIntact: Bool

    /// The columns, as ``init(_:)`` reads them.
    static let columns =
        "sequence, previous, count, bytes, clock, source, id, type, time, line, hash"

    /// The row of an event that follows another.
    init(_ entry: JournalEntry, after last: JournalMark, at clock: Int64) {
        self.entry = entry
        self.clock = clock
        previous = last.sequence
        mark = JournalMark(
            sequence: entry.sequence, count: last.count + 1, bytes: last.bytes + entry.size)
        isIntact = true
    }

    /// Reads a row; nil if a column is not of its type.
    init?(_ row: Row) {
        guard let sequence = row.number(0), let previous = row.number(1), let count = row.number(2),
            let bytes = row.number(3), let clock = row.integer(4),
            let entry = JournalEntry(row, sequence: sequence, from: 5),
            let hash = row.bytes(10), sequence > 0
        else { return nil }
        self.init(
            entry: entry, previous: previous,
            mark: JournalMark(sequence: sequence, count: count, bytes: bytes), clock: clock,
            hash: hash)
    }

    private init(
        entry: JournalEntry, previous: UInt64, mark: JournalMark, clock: Int64, hash: [UInt8]
    ) {
        self.entry = entry
        self.previous = previous
        self.mark = mark
        self.clock = clock
        isIntact = hash == Self.hash(entry, previous, mark, clock)
    }

    /// A row of a former schema, which had neither count nor clock.
    init(former entry: JournalEntry, previous: UInt64, isIntact: Bool) {
        self.entry = entry
        self.previous = previous
        mark = JournalMark(sequence: entry.sequence, count: 0, bytes: 0)
        // An event that is dated in the future was written before now all the same.
        clock = min(entry.time.microsecondsSince1970, JournalClock.Reading.now.wall)
        self.isIntact = isIntact
    }

    func insert(into db: Database) throws {
        let sql = "INSERT INTO event (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        try db.cachedStatement(sql: sql).execute(arguments: [
            Int64(clamping: entry.sequence), Int64(clamping: previous), Int64(clamping: mark.count),
            Int64(clamping: mark.bytes), clock, entry.source, entry.id, entry.type.rawValue,
            entry.time.microsecondsSince1970, entry.line.blob,
            Self.hash(entry, previous, mark, clock).blob,
        ])
    }

    private static func hash(
        _ entry: JournalEntry, _ previous: UInt64, _ mark: JournalMark, _ clock: Int64
    ) -> [UInt8] {
        var hash = RowHash(capacity: entry.line.count + 384)
        hash.add(previous)
        hash.add(mark.count)
        hash.add(mark.bytes)
        hash.add(clock)
        hash.add(entry)
        return hash.value
    }
}

/// A place in the journal: an event's number, and the count and size of all events up to it, removed
/// ones included.
///
/// The difference of two marks is what lies between them, without reading it.
struct JournalMark: Equatable, Sendable {
    var sequence: UInt64
    var count: UInt64
    var bytes: UInt64

    static let start = JournalMark(sequence: 0, count: 0, bytes: 0)
}

extension JournalEntry {
    private static let pageSize: UInt64 = 4_096
    /// What SQLite adds to a row, the numbers and the hash.
    private static let overhead: UInt64 = 120

    /// Reads the columns `source, id, type, time, line`, which begin at an index; nil if one is not of
    /// its type.
    init?(_ row: Row, sequence: UInt64, from index: Int) {
        guard let source = row.text(index), let id = row.text(index + 1),
            let type = row.text(index + 2), let time = row.integer(index + 3),
            let line = row.bytes(index + 4)
        else { return nil }
        self.init(
            sequence: sequence, source: source, id: id, type: EventType(rawValue: type),
            time: EventTime(microsecondsSince1970: time), line: line)
    }

    /// The room in the file: the row's share of a page, which holds whole rows, or its pages.
    var size: UInt64 {
        let texts = source.utf8.count + id.utf8.count + type.rawValue.utf8.count
        let size = UInt64(texts + line.count) + Self.overhead
        guard size <= Self.pageSize else {
            return (size + Self.pageSize - 1) / Self.pageSize * Self.pageSize
        }
        return Self.pageSize / (Self.pageSize / size)
    }
}
