import Events
import Glibc

/// The time by which events age: it never jumps, whatever happens to the time of day.
///
/// While keywedge runs, the time advances with a clock of the kernel that nobody can set. While it does
/// not, only the time of day tells how long that was. A register's time of day may be wrong by years, for
/// example after its battery has died, so a step of more than half of the time for which events are kept
/// counts as none: events then stay too long, and never too short.
struct JournalClock: Equatable, Sendable {
    /// A moment, in microseconds.
    struct Moment: Equatable, Sendable {
        /// By this clock.
        var time: Int64
        /// By the time of day.
        var wall: Int64
    }

    /// What the box's clocks show, in microseconds.
    struct Reading: Equatable, Sendable {
        /// The time of day, since 1970.
        var wall: Int64
        /// The time since the box started, suspension included.
        var uptime: Int64

        /// The time of day.
        var time: EventTime { EventTime(microsecondsSince1970: wall) }

        static var now: Reading {
            Reading(wall: microseconds(CLOCK_REALTIME), uptime: microseconds(CLOCK_BOOTTIME))
        }

        private static func microseconds(_ clock: clockid_t) -> Int64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        }
    }

    private static let microsecondsPerDay: Int64 = 86_400_000_000

    private(set) var moment: Moment
    private var uptime: Int64

    /// Continues after the last moment that the journal's file has.
    init(after last: Moment, now: Reading, days: Int) {
        let time = last.time + Self.counted(now.wall.subtractingReportingOverflow(last.wall), days)
        moment = Moment(time: time, wall: now.wall)
        uptime = now.uptime
    }

    mutating func advance(to now: Reading, days: Int) {
        let step = now.uptime.subtractingReportingOverflow(uptime)
        moment = Moment(time: moment.time + Self.counted(step, days), wall: now.wall)
        uptime = now.uptime
    }

    /// The time before which events are too old.
    func cutoff(days: Int) -> Int64 { moment.time - Int64(days) * Self.microsecondsPerDay }

    private static func counted(_ step: (partialValue: Int64, overflow: Bool), _ days: Int) -> Int64
    {
        let isPlausible = (0...Int64(days) * microsecondsPerDay / 2).contains(step.partialValue)
        return isPlausible && !step.overflow ? step.partialValue : 0
    }
}
