import WebAPI

/// The rate at which a durable sink receives its backlog: `200/s`.
package struct CatchUpRate: Equatable, Sendable, CustomStringConvertible {
    /// The pattern of a valid rate, as a regular expression (ECMA-262).
    package static let pattern = "^[1-9][0-9]{0,5}/(s|min)$"
    /// A rate that spares a broker and delivers a shop's day in half a minute.
    package static let standard = CatchUpRate(description: "200/s", timePerEvent: .milliseconds(5))

    package let description: String
    private let timePerEvent: Duration

    func time(for events: Int) -> Duration { timePerEvent * events }

    /// The number of events sent together.
    var portion: Int { max(1, Int(CatchUp.beat / timePerEvent)) }
}

extension CatchUpRate {
    /// Reads a whole number from 1 to 999999 with `/s` or `/min`; returns nil for any other string.
    package init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([1-9][0-9]{0,5})\/(s|min)/),
            let count = Int(match.1)
        else { return nil }
        let unit = match.2 == "s" ? Duration.seconds(1) : .seconds(60)
        self.init(description: text, timePerEvent: unit / count)
    }
}

/// Limits how fast a sink receives the events that waited while its other side was away, so that a fleet does
/// not drown a broker that has come back.
///
/// After a random wait, the backlog goes out in portions, at no more than the rate. Newer events follow it
/// in order, as fast as the other side accepts them.
struct CatchUp: Equatable, Sendable {
    /// How long a portion lasts.
    static let beat = Duration.milliseconds(250)
    /// A portion that takes longer counts as held up.
    private static let patience = Duration.seconds(5)
    /// The longest wait before a start.
    private static let longestStart = Duration.seconds(10)

    private let rate: CatchUpRate?
    /// The number of the last event of the backlog.
    private var mark: UInt64 = 0
    /// Whether the other side has not yet accepted an event, at the beginning or since a failure.
    private var isHeldUp = true

    /// Makes a limit; without a rate, events go out as fast as the other side accepts them.
    init(_ rate: CatchUpRate?) { self.rate = rate }

    /// How many events to send after the one with this number; at most `page`.
    func limit(after sequence: UInt64, page: Int) -> Int {
        guard let rate, isHeldUp || sequence < mark else { return page }
        return min(rate.portion, page)
    }

    /// Records that the other side did not accept events.
    mutating func failed() { isHeldUp = true }

    /// Records that the other side accepted events up to `sequence`; the journal ends with `end`, and `chance` is a
    /// random number of at least 0 and below 1.
    ///
    /// - Returns: How long to wait before sending more.
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

extension Backoff {
    /// How long a sink waits before it resends its first unsettled event.
    static let ofSink = Backoff(first: .seconds(1), longest: .seconds(300))
}
