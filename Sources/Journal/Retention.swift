import CLinux
import Events
import GRDB
import Glibc

/// A policy that removes the oldest events if they are too old or the journal is too large.
struct Retention: Sendable {
    /// The maximum number of events to remove in a step, so that new events do not wait long.
    private static let step = 500

    let settings: JournalSettings
    let sinks: Set<String>

    var days: Int { settings.keep.days }
    var letterLimit: UInt64 { UInt64(settings.keep.deadLetterMegabytes) * 1_000_000 }

    struct Outcome: Equatable {
        var hasMore = false
        /// Whether the journal was too large and must shrink further; see ``isOver(_:isShrinking:)``.
        var isShrinking = false
        var isFull = false
        /// The events removed before all durable sinks had accepted them; nil if none were.
        var loss: JournalLoss?
    }

    /// Whether a journal of this size is too large.
    ///
    /// If `isShrinking` is true, the limit is 5 percent lower, to make room for a report about lost events.
    func isOver(_ size: UInt64, isShrinking: Bool) -> Bool {
        let limit = UInt64(settings.keep.megabytes) * 1_000_000
        return size > (isShrinking ? limit / 100 * 95 : limit)
    }

    /// Removes some of the oldest events if they are from before `cutoff`, or if the journal is too large.
    ///
    /// `isShrinking` is from the last step. Events a sink needs go only to reduce the size, if `whenFull` is `.oldest`.
    func step(
        in database: inout JournalDatabase, isShrinking: Bool, cutoff: Int64
    ) throws -> Outcome {
        let isOver = isOver(database.bounds.size, isShrinking: isShrinking)
        let bounds = database.bounds
        let oldest = try database.queue.read { try candidates(bounds, isOver: isOver, $0) }
        let cursors = try database.queue.read { try CursorRow.all($0) }
        let accepted = sinks.reduce(into: [:]) { $0[$1] = cursors[.sink($1)] ?? 0 }
        let slowest = accepted.values.min() ?? .max
        let removable = oldest.prefix {
            $0.mark.sequence <= slowest && ($0.isTooMany || $0.clock < cutoff)
        }
        if let last = removable.last {
            try remove(upTo: last.mark, from: &database)
            return Outcome(hasMore: isOver || removable.count == Self.step, isShrinking: isOver)
        }
        let tooMany = oldest.prefix(while: \.isTooMany).map(\.mark)
        guard let first = tooMany.first, let last = tooMany.last else { return Outcome() }
        guard settings.whenFull == .oldest else { return Outcome(isShrinking: true, isFull: true) }
        try remove(upTo: last, from: &database)
        let losers = accepted.filter { $0.value < last.sequence }.keys.sorted()
        let loss = JournalLoss(
            place: .journal, policy: .oldest, first: first.sequence, last: last.sequence,
            count: tooMany.count, sinks: losers)
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

    /// Returns the oldest events, at most as many as one call of `step` removes.
    ///
    /// An event's `isTooMany` is true if the journal would still be too large after all earlier events were removed.
    private func candidates(
        _ bounds: JournalBounds, isOver: Bool, _ db: Database
    ) throws -> [(mark: JournalMark, clock: Int64, isTooMany: Bool)] {
        let sql = "SELECT sequence, count, bytes, clock FROM event ORDER BY sequence LIMIT ?"
        var before = bounds.removed
        return try Row.fetchAll(db.cachedStatement(sql: sql), arguments: [Self.step]).map { row in
            guard let mark = JournalMark(row, from: 0), let clock = row.integer(3),
                before.bytes <= bounds.newest.bytes
            else { throw Damage("its oldest events cannot be read") }
            let rest = bounds.newest.bytes - before.bytes
            before = mark
            return (mark, clock, isOver && self.isOver(rest, isShrinking: true))
        }
    }
}

struct Shrinking {
    var isDue = false
    private(set) var isShrinking = false
    /// The dropped events that have not been reported yet.
    var loss: JournalLoss?
    /// When to look for old events again, as uptime in microseconds.
    private var nextLook = Int64.min

    mutating func look(at bounds: JournalBounds, _ now: Int64, _ retention: Retention) {
        if now >= nextLook || retention.isOver(bounds.size, isShrinking: isShrinking) {
            isDue = true
        }
    }

    /// Records a step's outcome; after the last step, returns the total loss, if any.
    mutating func record(_ outcome: Retention.Outcome, at now: Int64) -> JournalLoss? {
        isDue = outcome.hasMore
        isShrinking = outcome.isShrinking
        if let next = outcome.loss { loss.merge(next) }
        guard !isDue else { return nil }
        nextLook = now + 60_000_000
        return loss.take()
    }
}

/// A clock that measures the age of events, unaffected by large steps of the system clock.
///
/// While keywedge runs, this clock follows the kernel's boot clock, which cannot be set. While keywedge is stopped,
/// only the system clock shows how much time passes, and it may be wrong by years, for example after a battery has
/// died. Steps backwards, or of more than half the retention time, are ignored, because it is better to keep events too
/// long than to delete them too early.
struct JournalClock: Equatable, Sendable {
    /// The times on ``JournalClock`` and on the system clock at the same moment, in microseconds.
    struct Moment: Equatable, Sendable {
        var time: Int64 = 0
        var wall: Int64 = 0
    }

    private static let microsecondsPerDay: Int64 = 86_400_000_000
    private(set) var moment: Moment
    private var uptime: Int64

    init(after last: Moment, now: ClockReading, days: Int) {
        moment = Moment(
            time: last.time + Self.counted(now.wall &- last.wall, days), wall: now.wall)
        uptime = now.uptime
    }

    mutating func advance(to now: ClockReading, days: Int) {
        moment.time += Self.counted(now.uptime &- uptime, days)
        moment.wall = now.wall
        uptime = now.uptime
    }

    func cutoff(days: Int) -> Int64 { moment.time - Int64(days) * Self.microsecondsPerDay }

    private static func counted(_ step: Int64, _ days: Int) -> Int64 {
        (0...Int64(days) * microsecondsPerDay / 2).contains(step) ? step : 0
    }
}

/// The readings of the system clock and the boot clock, in microseconds.
package struct ClockReading: Equatable, Sendable {
    var wall: Int64
    /// The time since the machine started, including time spent suspended.
    var uptime: Int64
    var time: EventTime { EventTime(microsecondsSince1970: wall) }

    package static var now: Self {
        Self(wall: microseconds(CLOCK_REALTIME), uptime: microseconds(CLOCK_BOOTTIME))
    }

    private static func microseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}
