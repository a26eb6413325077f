/// How many events a durable sink is given in a time, of those that have waited for it: `200/s`.
package struct CatchUpRate: Equatable, Sendable, CustomStringConvertible {
    /// What is counted in.
    package enum Unit: String, Sendable {
        case second = "s"
        case minute = "min"
    }

    /// What a rate can be, as a regular expression (ECMA-262).
    package static let pattern = "^[1-9][0-9]{0,5}/(s|min)$"

    /// How many events.
    package let count: Int
    /// In what time.
    package let unit: Unit

    /// A rate that spares a broker and brings a shop's day in half a minute.
    package static let standard = CatchUpRate(count: 200, unit: .second)

    private init(count: Int, unit: Unit) {
        self.count = count
        self.unit = unit
    }

    /// Reads a rate.
    ///
    /// - Parameter text: A whole number from 1 to 999999, and `/s` or `/min`.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let unit = Unit(rawValue: String(parts[1])),
            let count = Int(parts[0]), (1...999_999).contains(count), String(count) == parts[0]
        else { return nil }
        self.init(count: count, unit: unit)
    }

    /// The rate as it is written.
    package var description: String { "\(count)/\(unit.rawValue)" }

    /// How long a number of events takes.
    func time(for events: Int) -> Duration {
        (unit == .second ? Duration.seconds(1) : .seconds(60)) * (Double(events) / Double(count))
    }

    /// How many events are given together.
    var portion: Int { max(1, Int(CatchUp.beat / time(for: 1))) }
}

/// How fast a sink is given what has waited while its other side was away, so that a fleet does not drown a
/// broker that has come back.
///
/// What was there when it came back goes out in portions, at no more than the rate, after a start by chance;
/// what came since is behind that in order, and goes out as fast as it is taken.
struct CatchUp: Equatable, Sendable {
    /// How long a portion lasts.
    static let beat = Duration.milliseconds(250)
    /// A portion that took longer was held up.
    static let patience = Duration.seconds(5)
    /// The longest wait before a start.
    static let longestStart = Duration.seconds(10)

    private let rate: CatchUpRate?
    /// Up to this event what goes out has waited.
    private var mark: UInt64 = 0
    /// Whether it is open what the other side takes: at the beginning, and after a failure.
    private var isHeldUp = true

    /// Begins.
    ///
    /// - Parameter rate: How fast; nil for as fast as it is taken.
    init(_ rate: CatchUpRate?) { self.rate = rate }

    /// How many events may be given.
    ///
    /// - Parameters:
    ///   - sequence: The event behind which they are.
    ///   - page: How many it is at the most.
    /// - Returns: The number of events.
    func limit(after sequence: UInt64, page: Int) -> Int {
        guard let rate, isHeldUp || sequence < mark else { return page }
        return min(rate.portion, page)
    }

    /// The other side did not take events.
    mutating func failed() { isHeldUp = true }

    /// The other side took events.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - time: In what time.
    ///   - sequence: The last of them.
    ///   - end: The newest event of the journal.
    ///   - chance: A random number of at least 0 and below 1.
    /// - Returns: How long to wait before it is given more.
    mutating func took(
        _ count: Int, in time: Duration, upTo sequence: UInt64, of end: UInt64, chance: Double
    ) -> Duration {
        guard let rate else { return .zero }
        if isHeldUp || time >= Self.patience {
            isHeldUp = false
            mark = end
            let waiting = Int(clamping: end - min(sequence, end))
            return min(rate.time(for: waiting), Self.longestStart) * chance
        }
        return sequence < mark ? max(.zero, rate.time(for: count) - time) : .zero
    }
}
