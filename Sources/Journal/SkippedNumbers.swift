import GRDB

/// The numbers that no event of a journal has, so that events are counted without being read.
///
/// Numbers are skipped after an unclean end, and where an event was given up.
struct SkippedNumbers: Equatable, Sendable {
    /// The event ahead of each gap, by the event behind it.
    private var gaps: [UInt64: UInt64] = [:]

    /// Knows of none.
    init() {}

    /// Finds all that a file has; that reads the whole of it.
    init(_ db: Database) throws {
        let sql = "SELECT sequence, previous FROM event WHERE previous < sequence - 1"
        let rows = try Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            guard let sequence = row.integer(0), let previous = row.integer(1), previous >= 0
            else { continue }
            note(UInt64(sequence), after: UInt64(previous))
        }
    }

    /// Finds those ahead of each of some events.
    ///
    /// - Parameters:
    ///   - entries: The events, with rising numbers.
    ///   - newest: The number of the event ahead of them.
    init(_ entries: some Sequence<JournalEntry>, after newest: UInt64) {
        var previous = newest
        for entry in entries {
            note(entry.sequence, after: previous)
            previous = entry.sequence
        }
    }

    /// Whether none is known.
    var isEmpty: Bool { gaps.isEmpty }

    /// Takes those that others know.
    mutating func formUnion(_ other: SkippedNumbers) {
        gaps.merge(other.gaps) { first, _ in first }
    }

    /// Forgets those up to an event, which is gone.
    mutating func forget(upTo sequence: UInt64) {
        gaps = gaps.filter { $0.key > sequence }
    }

    /// How many events there are.
    ///
    /// - Parameters:
    ///   - start: Behind this number.
    ///   - end: Up to this number.
    /// - Returns: The number of events; too many where numbers were skipped that are not known.
    func eventCount(after start: UInt64, upTo end: UInt64) -> UInt64 {
        guard end > start else { return 0 }
        let skipped = gaps.reduce(UInt64(0)) { sum, gap in
            let first = max(gap.value, start)
            let last = min(gap.key - 1, end)
            return last > first ? sum + (last - first) : sum
        }
        return end - start - skipped
    }

    private mutating func note(_ sequence: UInt64, after previous: UInt64) {
        if sequence > previous + 1 { gaps[sequence] = previous }
    }
}
