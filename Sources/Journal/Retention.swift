import Events
import GRDB

/// Decides which of the oldest events are taken away: those that are too old or too many.
///
/// One step takes away a few; who has more to do takes another step.
struct Retention: Sendable {
    /// How many events a step takes away at the most.
    static let step = 500
    private static let microsecondsPerDay: Int64 = 86_400_000_000

    private let settings: JournalSettings
    /// The durable sinks.
    let sinks: Set<String>

    init(_ settings: JournalSettings, sinks: Set<String>) {
        self.settings = settings
        self.sinks = sinks
    }

    /// What a step came to.
    struct Outcome: Equatable {
        /// Whether another step may have something to do.
        var hasMore = false
        /// Whether the journal has no room for new events.
        var isFull = false
        /// Events that sinks had not taken.
        var loss: JournalLoss?
    }

    /// Takes a step.
    ///
    /// - Parameters:
    ///   - store: The journal.
    ///   - now: The time of day.
    /// - Returns: What it came to.
    /// - Throws: ``JournalTrouble``.
    func apply(to store: inout JournalStore, now: EventTime) throws -> Outcome {
        let isOver = try self.isOver(store)
        let cursors = try store.read { try CursorRow.all($0) }
        let behind = sinks.reduce(into: [:]) { $0[$1] = cursors[.sink($1)] ?? 0 }
        let taken = behind.values.min() ?? .max
        let cutoff = now.advanced(
            byMicroseconds: -Int64(settings.keep.days) * Self.microsecondsPerDay)
        let oldest = try oldest(store)
        let removable = oldest.prefix { $0.end.sequence <= taken && (isOver || $0.time < cutoff) }
        if let last = removable.last {
            try store.remove(upTo: last.end)
            return Outcome(hasMore: removable.count == Self.step || isOver)
        }
        guard isOver, let first = oldest.first, let last = oldest.last else { return Outcome() }
        guard settings.whenFull == .oldest else { return Outcome(isFull: true) }
        try store.remove(upTo: last.end)
        let losers = behind.filter { $0.value < last.end.sequence }.keys.sorted()
        return Outcome(
            hasMore: true,
            loss: JournalLoss(
                place: .journal, policy: .oldest, first: first.end.sequence,
                last: last.end.sequence, count: oldest.count, sinks: losers))
    }

    /// Whether the journal is larger than it may be.
    ///
    /// This is asked behind each commit: what is free is counted only where the file is too large.
    func isOver(_ store: JournalStore) throws -> Bool {
        let limit = settings.keep.megabytes * 1_000_000 / store.pageSize
        return try store.pages > limit && store.pages - store.freePages() > limit
    }

    private func oldest(_ store: JournalStore) throws -> [(end: ChainEnd, time: EventTime)] {
        let sql = "SELECT sequence, hash, time FROM event ORDER BY sequence LIMIT ?"
        return try store.read { db in
            try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [Self.step]).map { row in
                guard let sequence = row.integer(0).flatMap({ UInt64(exactly: $0) }),
                    let hash = row.bytes(1), let time = row.integer(2)
                else { throw Damage("its oldest events cannot be read") }
                return (
                    ChainEnd(sequence: sequence, hash: hash),
                    EventTime(microsecondsSince1970: time)
                )
            }
        }
    }
}
