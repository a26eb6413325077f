import GRDB

/// Decides which of the oldest events and dead letters to remove: those that are too old or too many.
///
/// One step removes a few, so that new events need not wait for long.
struct Retention: Sendable {
    /// How many rows a step removes at most.
    static let step = 500

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
    func isOver(_ size: UInt64, isShrinking: Bool = false) -> Bool {
        let limit = UInt64(keep.megabytes) * 1_000_000
        return size > (isShrinking ? Self.target(limit) : limit)
    }

    private static func target(_ limit: UInt64) -> UInt64 { limit / 100 * 95 }

    /// Removes events written before `cutoff`, by ``JournalClock``, or too many.
    ///
    /// `isShrinking` says whether the step before found the journal too large.
    ///
    /// - Throws: ``JournalTrouble``.
    func removeEvents(
        from store: inout JournalStore, isShrinking: Bool, cutoff: Int64
    ) throws -> Outcome {
        let isOver = isOver(store.state.size, isShrinking: isShrinking)
        let cursors = try store.read { try CursorRow.all($0) }
        let accepted = sinks.reduce(into: [:]) { $0[$1] = cursors[.sink($1)] ?? 0 }
        let slowest = accepted.values.min() ?? .max
        let oldest = try oldest(store, isOver: isOver)
        let removable = oldest.prefix {
            $0.mark.sequence <= slowest && ($0.isTooMany || $0.clock < cutoff)
        }
        if let last = removable.last {
            try store.remove(upTo: last.mark)
            return Outcome(hasMore: isOver || removable.count == Self.step, isShrinking: isOver)
        }
        let tooMany = oldest.prefix(while: \.isTooMany)
        guard let first = tooMany.first, let last = tooMany.last else { return Outcome() }
        guard whenFull == .oldest else { return Outcome(isShrinking: true, isFull: true) }
        try store.remove(upTo: last.mark)
        let losers = accepted.filter { $0.value < last.mark.sequence }.keys.sorted()
        return Outcome(
            hasMore: true, isShrinking: true,
            loss: JournalLoss(
                place: .journal, policy: .oldest, first: first.mark.sequence,
                last: last.mark.sequence, count: tooMany.count, sinks: losers))
    }

    /// Removes the oldest dead letters if there are too many.
    ///
    /// - Throws: ``JournalTrouble``.
    func removeLetters(from store: inout JournalStore, isShrinking: Bool) throws -> Outcome {
        let limit = UInt64(keep.deadLetterMegabytes) * 1_000_000
        // A sink that refuses everything is reported once for a quarter of them, not for a few.
        let target = limit / 4 * 3
        guard try store.lettersExceed(isShrinking ? target : limit) else { return Outcome() }
        let loss = try store.removeLetters(downTo: target)
        return Outcome(hasMore: true, isShrinking: true, loss: loss)
    }

    private struct Candidate {
        let mark: JournalMark
        let clock: Int64
        /// Whether the journal is still too large without the events before it.
        let isTooMany: Bool
    }

    private func oldest(_ store: JournalStore, isOver: Bool) throws -> [Candidate] {
        let sql = "SELECT sequence, count, bytes, clock FROM event ORDER BY sequence LIMIT ?"
        return try store.read { db in
            var before = store.state.removed
            return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [Self.step]).map {
                row in
                guard let sequence = row.number(0), let count = row.number(1),
                    let bytes = row.number(2), let clock = row.integer(3)
                else { throw Damage("its oldest events cannot be read") }
                let rest = store.state.newest.bytes.subtractingReportingOverflow(before.bytes)
                before = JournalMark(sequence: sequence, count: count, bytes: bytes)
                return Candidate(
                    mark: before, clock: clock,
                    isTooMany: isOver && !rest.overflow
                        && self.isOver(rest.partialValue, isShrinking: true))
            }
        }
    }
}

/// How far retention is with events, or with dead letters.
struct Shrinking {
    /// Whether a step of retention is to look.
    var isDue = false
    private(set) var isShrinking = false
    private var loss: JournalLoss?

    /// Notes what a step did, and returns the whole loss once retention is done.
    mutating func note(_ outcome: Retention.Outcome) -> JournalLoss? {
        isDue = outcome.hasMore
        isShrinking = outcome.isShrinking
        if let next = outcome.loss { loss = loss?.merged(with: next) ?? next }
        return outcome.hasMore ? nil : loss.take()
    }

    /// The loss of steps that are not followed by another.
    mutating func takeLoss() -> JournalLoss? { loss.take() }
}
