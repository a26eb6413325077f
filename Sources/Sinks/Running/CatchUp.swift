import WebAPI

/// The maximum rate at which a durable sink sends its backlog, such as `200/s`.
package struct CatchUpRate: Equatable, Sendable, CustomStringConvertible {
    /// A regular expression (ECMA-262) for valid rates.
    package static let pattern = "^[1-9][0-9]{0,5}/(s|min)$"
    /// The default rate, which delivers a shop's daily events in half a minute without straining a broker.
    package static let standard = CatchUpRate(description: "200/s", timePerEvent: .milliseconds(5))

    package let description: String
    private let timePerEvent: Duration

    func time(for events: Int) -> Duration { timePerEvent * events }

    var portion: Int { max(1, Int(CatchUp.beat / timePerEvent)) }
}

extension CatchUpRate {
    /// Reads a whole number from 1 to 999999 followed by `/s` or `/min`; returns nil for any other string.
    package init?(_ text: String) {
        guard let match = text.wholeMatch(of: /([1-9][0-9]{0,5})\/(s|min)/),
            let count = Int(match.1)
        else { return nil }
        let unit = match.2 == "s" ? Duration.seconds(1) : .seconds(60)
        self.init(description: text, timePerEvent: unit / count)
    }
}

/// A limit on how fast a sink sends its backlog, so that many registers do not overload a broker.
struct CatchUp: Equatable, Sendable {
    /// How long it should take to send one portion of the backlog.
    static let beat = Duration.milliseconds(250)
    /// The minimum duration of a slow delivery, after which waiting events count as a backlog.
    private static let patience = Duration.seconds(5)
    /// The longest random wait between the first delivery from a backlog and the next one.
    private static let longestStart = Duration.seconds(10)

    private let rate: CatchUpRate?
    /// The sequence number of the last event in the backlog.
    private var mark: UInt64 = 0
    /// Whether no delivery has succeeded since the start or the last failure.
    private var isHeldUp = true

    /// Creates a limit; if `rate` is nil, events are sent as fast as the receiver accepts them.
    init(_ rate: CatchUpRate?) { self.rate = rate }

    /// Returns the maximum number of events to send after event `sequence`; at most `page`.
    func limit(after sequence: UInt64, page: Int) -> Int {
        guard let rate, isHeldUp || sequence < mark else { return page }
        return min(rate.portion, page)
    }

    mutating func failed() { isHeldUp = true }

    /// Records that the receiver accepted `count` events up to `sequence`; the journal's last event is number `end`.
    ///
    /// - Returns: How long to wait before sending more; `chance`, a random number in `0..<1`, shortens the first wait.
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
    /// The growing waits between a sink's attempts, for example to deliver an event.
    static let ofSink = Backoff(first: .seconds(1), longest: .seconds(300))
}
