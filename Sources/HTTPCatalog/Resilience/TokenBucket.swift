/// A store of tokens that fills up with time: each request takes one.
///
/// It holds at the most as many tokens as there are in a period, so a pause is made good for in one
/// burst and no more.
struct TokenBucket: Sendable {
    /// What became of asking for a token.
    enum Action: Equatable, Sendable {
        /// It is taken.
        case take
        /// There is none; the next one comes after this time.
        case wait(Duration)
    }

    private let capacity: Double
    private let perSecond: Double
    private var tokens: Double
    private var filledAt: MonotonicTime

    /// Makes a full bucket.
    init(_ settings: QuotaSettings, now: MonotonicTime) {
        capacity = Double(max(1, settings.requests))
        perSecond = capacity / max(settings.per.inSeconds, .leastNormalMagnitude)
        tokens = capacity
        filledAt = now
    }

    /// Takes a token where there is one.
    mutating func take(at now: MonotonicTime) -> Action {
        fill(now)
        // What floating-point numbers leave of a whole token is a whole token.
        guard tokens < 1 - 1e-9 else {
            tokens -= 1
            return .take
        }
        return .wait(.seconds((1 - tokens) / perSecond))
    }

    private mutating func fill(_ now: MonotonicTime) {
        guard now > filledAt else { return }
        tokens = min(capacity, tokens + (now - filledAt).inSeconds * perSecond)
        filledAt = now
    }
}

extension Duration {
    /// The duration in seconds, rounded as floating-point numbers are.
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
