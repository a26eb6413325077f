package import Catalog
import Synchronization
import WebAPI
import WireText

package enum SourceState: Equatable, Sendable {
    case ready
    /// One request can be sent as a probe; until it has a result, no others are sent.
    case probing
    case refusing(LookupFailure.Code, for: Duration)
}

/// A gate that decides whether lookups may send requests.
///
/// The decision depends on the circuit breaker, the quota, the retry budget, and any wait that the catalog requested.
final class SourceGate: Sendable {
    struct Ending: Equatable, Sendable {
        /// Why the request failed; nil if it succeeded, even if the catalog does not have the product.
        var failure: LookupFailure.Code?
        /// The wait that the catalog requested; nil if it requested none.
        var pause: Duration?
    }

    private static let longestPause = Duration.seconds(3600)

    /// How long to wait if a catalog throttles requests without saying for how long.
    private static let standardPause = Duration.seconds(5)

    private struct State {
        var breaker: Breaker
        var quota: TokenBucket?
        var budget: RetryBudget
        var pausedUntil = MonotonicTime.zero

        mutating func admit(at now: MonotonicTime) -> SourceState {
            if now < pausedUntil { return .refusing(.throttled, for: pausedUntil - now) }
            let state = breaker.admit(at: now)
            if case .refusing = state { return state }
            guard let wait = quota?.take(at: now) else { return state }
            if state == .probing { breaker.abandonProbe() }
            return .refusing(.quotaUsedUp, for: wait)
        }
    }

    private let state: Mutex<State>

    init(_ settings: ResilienceSettings, now: MonotonicTime) {
        state = Mutex(
            State(
                breaker: Breaker(settings.breaker),
                quota: settings.quota.map { TokenBucket($0, now: now) },
                budget: RetryBudget(tokens: settings.retryTokens)))
    }

    func admit(at now: MonotonicTime) -> SourceState { state.withLock { $0.admit(at: now) } }

    /// Returns whether a retry may be sent at `moment`; if so, counts it against the quota.
    ///
    /// Returns false if the breaker would admit only a probe.
    func admitsRetry(at moment: MonotonicTime) -> Bool {
        state.withLock { state in
            var next = state
            guard state.budget.allowsRetry, next.admit(at: moment) == .ready else { return false }
            state = next
            return true
        }
    }

    /// Returns the state that a request would find now, without changing it.
    func current(at now: MonotonicTime) -> SourceState {
        var copy = state.withLock { $0 }
        return copy.admit(at: now)
    }

    func words(at now: MonotonicTime) -> String {
        let text =
            switch current(at: now) {
            case .ready: "breaker closed"
            case .probing: "breaker open: this request is the probe"
            case .refusing(.suspended, let wait): "breaker open for another \(wait.text)"
            case .refusing(.throttled, let wait):
                "the catalog wants no requests for another \(wait.text)"
            case .refusing(_, let wait): "quota used up for another \(wait.text)"
            }
        return state.withLock(\.budget.allowsRetry)
            ? text : text + ", too many failures for retries"
    }

    func record(_ ending: Ending, wasProbe: Bool, at now: MonotonicTime) {
        state.withLock { state in
            guard ending.failure != .cancelled else {
                if wasProbe { state.breaker.abandonProbe() }
                return
            }
            let isOutage = ending.failure?.isOutage ?? false
            let isThrottled = ending.failure == .throttled
            state.breaker.record(isFailure: isOutage, wasProbe: wasProbe, at: now)
            state.budget.record(isSuccess: !isOutage && !isThrottled)
            if let pause = ending.pause ?? (isThrottled ? Self.standardPause : nil) {
                state.pausedUntil = max(state.pausedUntil, now + min(pause, Self.longestPause))
            }
        }
    }
}

/// A request quota, implemented as a token bucket that holds at most the tokens of one period.
struct TokenBucket: Sendable {
    private let capacity: Double
    private let perSecond: Double
    private var tokens: Double
    private var filledAt: MonotonicTime

    init(_ settings: QuotaSettings, now: MonotonicTime) {
        capacity = Double(max(1, settings.requests))
        perSecond = capacity / max(settings.per / .seconds(1), .leastNormalMagnitude)
        (tokens, filledAt) = (capacity, now)
    }

    /// Takes a token; if none is left, returns the time until the next one.
    mutating func take(at now: MonotonicTime) -> Duration? {
        if now > filledAt {
            tokens = min(capacity, tokens + (now - filledAt) / .seconds(1) * perSecond)
            filledAt = now
        }
        // Floating-point rounding may leave a whole token slightly below 1.
        guard tokens < 1 - 1e-9 else {
            tokens -= 1
            return nil
        }
        return .seconds((1 - tokens) / perSecond)
    }
}
