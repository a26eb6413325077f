import Events
import GRDB

/// A row of the table `event`: an event, and its place in the chain.
struct EventRow: Equatable {
    let entry: JournalEntry
    /// The number of the event before; 0 for the first.
    let previous: UInt64
    /// The hash of the row before.
    let link: [UInt8]
    /// The hash of this row, ``link`` included.
    let hash: [UInt8]

    /// The columns, as ``init(_:)`` reads them.
    static let columns = "sequence, previous, source, id, type, time, line, link, hash"

    /// The row of an event that comes behind another.
    init(_ entry: JournalEntry, after end: ChainEnd) {
        self.entry = entry
        previous = end.sequence
        link = end.hash
        hash = Self.hash(entry, previous: previous, link: link)
    }

    /// Reads a row; nil where a column is not what it must be.
    init?(_ row: Row) {
        guard let sequence = row.integer(0), let previous = row.integer(1),
            let source = row.text(2), let id = row.text(3), let type = row.text(4),
            let time = row.integer(5), let line = row.bytes(6), let link = row.bytes(7),
            let hash = row.bytes(8), sequence > 0, previous >= 0
        else { return nil }
        entry = JournalEntry(
            sequence: UInt64(sequence), source: source, id: id, type: EventType(rawValue: type),
            time: EventTime(microsecondsSince1970: time), line: line)
        self.previous = UInt64(previous)
        self.link = link
        self.hash = hash
    }

    /// Whether the row is as it was written.
    var isIntact: Bool { hash == Self.hash(entry, previous: previous, link: link) }

    /// What the row is chained to.
    var start: ChainEnd { ChainEnd(sequence: previous, hash: link) }

    /// Where the chain ends with this row.
    var end: ChainEnd { ChainEnd(sequence: entry.sequence, hash: hash) }

    private static func hash(
        _ entry: JournalEntry, previous: UInt64, link: [UInt8]
    ) -> [UInt8] {
        var hash = RowHash(capacity: entry.line.count + 384)
        hash.add(link)
        hash.add(previous)
        hash.addFields(of: entry)
        return hash.value
    }

    /// Writes the row.
    func insert(into db: Database) throws {
        let sql = "INSERT INTO event (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        try db.cachedStatement(sql: sql).execute(arguments: [
            Int64(clamping: entry.sequence), Int64(clamping: previous), entry.source, entry.id,
            entry.type.rawValue, entry.time.microsecondsSince1970, entry.line.blob, link.blob,
            hash.blob,
        ])
    }
}

/// The row that the next one is chained to.
struct ChainEnd: Equatable {
    /// Its number; 0 where there is none.
    let sequence: UInt64
    /// Its hash.
    let hash: [UInt8]

    /// The end of a chain without rows.
    static let none = ChainEnd(sequence: 0, hash: RowHash.none)
}

extension RowHash {
    /// Adds all there is of an event.
    mutating func addFields(of entry: JournalEntry) {
        add(entry.sequence)
        add(entry.source)
        add(entry.id)
        add(entry.type.rawValue)
        add(entry.time.microsecondsSince1970)
        add(entry.line)
    }
}
