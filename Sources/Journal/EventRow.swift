import Events
import Foundation
import GRDB

/// A row of the table `event`: an event, the number of the previous one, and running totals.
struct EventRow {
    let entry: JournalEntry
    /// The number of the previous event, which reveals missing events.
    let previous: UInt64
    let mark: JournalMark
    /// When the event was written, in microseconds on ``JournalClock``.
    let clock: Int64
}

extension EventRow: JournalRow {
    static let table = "event"
    static let hashed = ["previous", "count", "bytes", "clock"] + JournalEntry.columns

    init(_ entry: JournalEntry, after last: JournalMark, at clock: Int64) {
        let mark = JournalMark(
            sequence: entry.sequence, count: last.count + 1, bytes: last.bytes + entry.size)
        self.init(entry: entry, previous: last.sequence, mark: mark, clock: clock)
    }

    init?(_ row: Row) {
        guard let entry = JournalEntry(row, from: 4), let previous = row.number(0),
            let count = row.number(1), let bytes = row.number(2), let clock = row.integer(3)
        else { return nil }
        let mark = JournalMark(sequence: entry.sequence, count: count, bytes: bytes)
        self.init(entry: entry, previous: previous, mark: mark, clock: clock)
    }

    var hashedValues: [DatabaseValue] {
        [previous.value, mark.count.value, mark.bytes.value, clock.databaseValue] + entry.values
    }
}

/// The number of an event, and the count and size of all events up to it, including removed ones.
struct JournalMark: Equatable, Sendable {
    var sequence: UInt64 = 0
    var count: UInt64 = 0
    var bytes: UInt64 = 0

    var values: [DatabaseValue] { [sequence.value, count.value, bytes.value] }
}

extension JournalMark {
    init?(_ row: Row, from index: Int) {
        guard let sequence = row.number(index), let count = row.number(index + 1),
            let bytes = row.number(index + 2)
        else { return nil }
        self.init(sequence: sequence, count: count, bytes: bytes)
    }
}

extension JournalEntry {
    static let columns = ["sequence", "source", "id", "type", "time", "line"]

    /// Reads the ``columns`` of an event from a row, starting at `index`.
    init?(_ row: Row, from index: Int) {
        guard let sequence = row.number(index), sequence > 0, let source = row.text(index + 1),
            let id = row.text(index + 2), let type = row.text(index + 3),
            let time = row.integer(index + 4), let line = row.bytes(index + 5)
        else { return nil }
        self.init(
            sequence: sequence, source: source, id: id, type: EventType(rawValue: type),
            time: EventTime(microsecondsSince1970: time), line: line)
    }

    var values: [DatabaseValue] {
        [
            sequence.value, source.databaseValue, id.databaseValue, type.rawValue.databaseValue,
            time.microsecondsSince1970.databaseValue, Data(line).databaseValue,
        ]
    }

    /// The row's estimated size in the file, in bytes.
    var size: UInt64 {
        let page: UInt64 = 4_096
        // SQLite adds about 120 bytes to a row, including the numbers and the hash.
        let texts = source.utf8.count + id.utf8.count + type.rawValue.utf8.count
        let size = UInt64(texts + line.count) + 120
        return size > page ? (size + page - 1) / page * page : page / (page / size)
    }
}
