import GRDB

/// Decides which of the oldest events to remove: those that are too old or too many.
///
/// One step removes a few, so that new events need not wait for long.
struct Retention: Sendable {
    /// How many events a step removes at most.
    private static let step = 500

    private let keep: JournalSettings.Keep
    let whenFull: JournalSettings.WhenFull
    /// The durable sinks.
    let sinks: Set<String>

    init(_ settings: JournalSettings, sinks: Set<String>) {
        keep = settings.keep
        whenFull = settings.whenFull
        self.sinks = sinks
    }

    /// For how many days events stay.
    var days: Int { keep.days }

    /// How many bytes of dead letters stay.
    var letterLimit: UInt64 { UInt64(keep.deadLetterMegabytes) * 1_000_000 }

    /// What a step did.
    struct Outcome: Equatable {
        /// Whether there may be more to remove.
        var hasMore = false
        /// Whether there was too much: see ``isOver(_:isShrinking:)``.
        var isShrinking = false
        /// Whether the journal has no room for new events.
        var isFull = false
        /// Events that sinks had not accepted.
        var loss: JournalLoss?
    }

    /// Whether a journal of this size is larger than it may be.
    ///
    /// Once it was, it shrinks a little more than needed: then the next event, which may be the report of
    /// this very loss, has room.
    func isOver(_ size: UInt64, isShrinking: Bool) -> Bool {
        let limit = UInt64(keep.megabytes) * 1_000_000
        return size > (isShrinking ? limit / 100 * 95 : limit)
    }

    /// Removes events written before `cutoff`, by ``JournalClock``, or too many.
    ///
    /// `isShrinking` says whether the step before found the journal too large.
    ///
    /// - Throws: ``JournalError``.
    func step(
        in database: inout JournalDatabase, isShrinking: Bool, cutoff: Int64
    ) throws -> Outcome {
        let isOver = isOver(database.bounds.size, isShrinking: isShrinking)
        let bounds = database.bounds
        let oldest = try database.read { try candidates(bounds, isOver: isOver, $0) }
        let cursors = try database.read { try CursorRow.all($0) }
        let accepted = sinks.reduce(into: [:]) { $0[$1] = cursors[.sink($1)] ?? 0 }
        let slowest = accepted.values.min() ?? .max
        let removable = oldest.prefix {
            $0.mark.sequence <= slowest && ($0.isTooMany || $0.clock < cutoff)
        }
        if let last = removable.last {
            try remove(upTo: last.mark, from: &database)
            return Outcome(hasMore: isOver || removable.count == Self.step, isShrinking: isOver)
        }
        let tooMany = oldest.prefix(while: \.isTooMany)
        guard let first = tooMany.first, let last = tooMany.last else { return Outcome() }
        guard whenFull == .oldest else { return Outcome(isShrinking: true, isFull: true) }
        try remove(upTo: last.mark, from: &database)
        let loss = JournalLoss(
            place: .journal, policy: .oldest, first: first.mark.sequence, last: last.mark.sequence,
            count: tooMany.count,
            sinks: accepted.filter { $0.value < last.mark.sequence }.keys.sorted())
        return Outcome(hasMore: true, isShrinking: true, loss: loss)
    }

    private func remove(upTo end: JournalMark, from database: inout JournalDatabase) throws {
        try database.write { db, bounds in
            bounds.removed = end
            let last: StatementArguments = [end.sequence.value]
            try db.execute(sql: "DELETE FROM event WHERE sequence <= ?", arguments: last)
            try db.execute(sql: "DELETE FROM hole WHERE last <= ?", arguments: last)
        }
    }

    private struct Candidate {
        let mark: JournalMark
        let clock: Int64
        /// Whether the journal is still too large without the events before it.
        let isTooMany: Bool
    }

    private func candidates(
        _ bounds: JournalBounds, isOver: Bool, _ db: Database
    ) throws -> [Candidate] {
        let sql = "SELECT sequence, count, bytes, clock FROM event ORDER BY sequence LIMIT ?"
        var before = bounds.removed
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [Self.step]).map { row in
            guard let mark = JournalMark(row, from: 0), let clock = row.integer(3),
                before.bytes <= bounds.newest.bytes
            else { throw Damage("its oldest events cannot be read") }
            let rest = bounds.newest.bytes - before.bytes
            before = mark
            return Candidate(
                mark: mark, clock: clock,
                isTooMany: isOver && self.isOver(rest, isShrinking: true))
        }
    }
}

/// How far retention is.
struct Shrinking {
    /// The time between two looks at the age of events.
    private static let pause: Int64 = 60_000_000

    /// Whether retention is to look at the events.
    var isDue = false
    /// Whether its last step found too many.
    private(set) var isShrinking = false
    /// What it removed and nobody has reported yet.
    var loss: JournalLoss?
    private var nextLook = Int64.min

    /// A commit has changed the bounds.
    mutating func look(at bounds: JournalBounds, _ now: Int64, _ retention: Retention) {
        if now >= nextLook || retention.isOver(bounds.size, isShrinking: isShrinking) {
            isDue = true
        }
    }

    /// Returns the whole range that was removed once the last of several steps is done.
    mutating func record(_ outcome: Retention.Outcome, at now: Int64) -> JournalLoss? {
        isDue = outcome.hasMore
        isShrinking = outcome.isShrinking
        if let next = outcome.loss { loss = loss?.merged(with: next) ?? next }
        guard !outcome.hasMore else { return nil }
        nextLook = now + Self.pause
        return loss.take()
    }
}
