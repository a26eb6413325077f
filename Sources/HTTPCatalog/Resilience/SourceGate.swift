import Catalog
import WireText

/// Decides whether a request may be sent to a catalog: its breaker, its quota and the wait it
/// asked for, in one place.
struct SourceGate: Sendable {
    /// What a request is to do.
    enum Admission: Equatable, Sendable {
        /// Go ahead.
        case go(isProbe: Bool)
        /// Do not send it, for this reason; it makes sense again after this time.
        case refuse(LookupFailure.Code, retryAfter: Duration)
    }

    /// How a request ended.
    struct Ending: Equatable, Sendable {
        /// The failure; nil where the catalog answered, be it that it has no such product.
        var failure: LookupFailure.Code?
        /// The wait the catalog asked for.
        var pause: Duration?
    }

    /// The longest a catalog is left alone because it said so: then one request asks again.
    static let longestPause = Duration.seconds(3600)

    /// The wait where a catalog throttles without saying how long.
    static let standardPause = Duration.seconds(5)

    private var breaker: Breaker
    private var quota: TokenBucket?
    private var budget: RetryBudget
    private var pausedUntil: MonotonicTime?

    init(_ settings: ResilienceSettings, now: MonotonicTime) {
        breaker = Breaker(settings.breaker)
        quota = settings.quota.map { TokenBucket($0, now: now) }
        budget = RetryBudget(tokens: settings.retryTokens)
    }

    /// Whether the budget allows a retry.
    var allowsRetry: Bool { budget.allowsRetry }

    /// Decides about a request.
    mutating func admit(at now: MonotonicTime) -> Admission {
        if let until = pausedUntil {
            if now < until { return .refuse(.throttled, retryAfter: until - now) }
            pausedUntil = nil
        }
        let admission = breaker.admit(at: now)
        if case .refuse(let wait) = admission { return .refuse(.suspended, retryAfter: wait) }
        if case .wait(let wait) = quota?.take(at: now) {
            if admission == .probe { breaker.abandonProbe() }
            return .refuse(.quotaUsedUp, retryAfter: wait)
        }
        return .go(isProbe: admission == .probe)
    }

    /// What is said to a request now; nothing is changed by it.
    func admission(at now: MonotonicTime) -> Admission {
        var copy = self
        return copy.admit(at: now)
    }

    /// The same in words.
    func words(at now: MonotonicTime) -> String {
        let text =
            switch admission(at: now) {
            case .go(isProbe: false): "breaker closed"
            case .go(isProbe: true): "breaker open: this request is the probe"
            case .refuse(.suspended, let wait): "breaker open for another \(wait.text)"
            case .refuse(.throttled, let wait):
                "the catalog wants no requests for another \(wait.text)"
            case .refuse(_, let wait): "quota used up for another \(wait.text)"
            }
        return allowsRetry ? text : text + ", too many failures for retries"
    }

    /// Notes how a request ended.
    mutating func record(_ ending: Ending, wasProbe: Bool, at now: MonotonicTime) {
        guard ending.failure != .cancelled else {
            if wasProbe { breaker.abandonProbe() }
            return
        }
        let isOutage = ending.failure?.isOutage ?? false
        breaker.record(isFailure: isOutage, wasProbe: wasProbe, at: now)
        budget.record(isSuccess: !isOutage && ending.failure != .throttled)
        let isThrottled = ending.failure == .throttled
        guard let pause = ending.pause ?? (isThrottled ? Self.standardPause : nil) else { return }
        let until = now + min(pause, Self.longestPause)
        pausedUntil = max(until, pausedUntil ?? until)
    }
}
