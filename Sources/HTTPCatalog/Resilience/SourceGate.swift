package import Catalog
import Synchronization
import WebAPI
import WireText

/// Decides whether a request may be sent to a catalog: its breaker, its quota, the wait it asked for
/// and the budget of retries, in one place for all lookups.
final class SourceGate: Sendable {
    /// How a request ended.
    struct Ending: Equatable, Sendable {
        /// The failure; nil if the catalog answered, perhaps that it has no such product.
        var failure: LookupFailure.Code?
        /// The wait the catalog asked for.
        var pause: Duration?
    }

    /// The longest a catalog is left alone because it said so: then one request asks again.
    private static let longestPause = Duration.seconds(3600)

    /// The wait if a catalog throttles without saying how long.
    private static let standardPause = Duration.seconds(5)

    fileprivate struct State {
        var breaker: Breaker
        var quota: TokenBucket?
        var budget: RetryBudget
        var pausedUntil: MonotonicTime?
    }

    private let state: Mutex<State>

    init(_ settings: ResilienceSettings, now: MonotonicTime) {
        state = Mutex(
            State(
                breaker: Breaker(settings.breaker),
                quota: settings.quota.map { TokenBucket($0, now: now) },
                budget: RetryBudget(tokens: settings.retryTokens)))
    }

    var allowsRetry: Bool { state.withLock(\.budget.allowsRetry) }

    func admit(at now: MonotonicTime) -> SourceState { state.withLock { $0.admit(at: now) } }

    /// Decides about a retry at a moment to come, which is never a probe.
    func admitsRetry(at moment: MonotonicTime) -> Bool {
        state.withLock { state in
            state.budget.allowsRetry && state.admission(at: moment) == .ready
                && state.admit(at: moment) == .ready
        }
    }

    /// What a request would get now; changes nothing.
    func current(at now: MonotonicTime) -> SourceState {
        state.withLock { $0.admission(at: now) }
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
        return allowsRetry ? text : text + ", too many failures for retries"
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
            let pause = ending.pause ?? (isThrottled ? Self.standardPause : nil)
            guard let pause else { return }
            let until = now + min(pause, Self.longestPause)
            state.pausedUntil = max(until, state.pausedUntil ?? until)
        }
    }
}

extension SourceGate.State {
    fileprivate mutating func admit(at now: MonotonicTime) -> SourceState {
        if let pausedUntil, now < pausedUntil {
            return .refusing(.throttled, for: pausedUntil - now)
        }
        let admission = breaker.admit(at: now)
        if case .refuse(let wait) = admission { return .refusing(.suspended, for: wait) }
        if let wait = quota?.take(at: now) {
            if admission == .probe { breaker.abandonProbe() }
            return .refusing(.quotaUsedUp, for: wait)
        }
        return admission == .probe ? .probing : .ready
    }

    fileprivate func admission(at now: MonotonicTime) -> SourceState {
        var copy = self
        return copy.admit(at: now)
    }
}

/// Whether a catalog is asked at the moment.
package enum SourceState: Equatable, Sendable {
    /// It is.
    case ready
    /// This request shows whether it answers again; until then there are no others.
    case probing
    /// It is not, for this reason and for this time.
    case refusing(LookupFailure.Code, for: Duration)
}

/// A store of tokens that fills up with time: each request takes one.
///
/// It holds at most as many tokens as a period has, so that a pause allows one burst and no more.
struct TokenBucket: Sendable {
    private let capacity: Double
    private let perSecond: Double
    private var tokens: Double
    private var filledAt: MonotonicTime

    init(_ settings: QuotaSettings, now: MonotonicTime) {
        capacity = Double(max(1, settings.requests))
        perSecond = capacity / max(settings.per / .seconds(1), .leastNormalMagnitude)
        tokens = capacity
        filledAt = now
    }

    /// Takes a token; if there is none, returns the time until the next one.
    mutating func take(at now: MonotonicTime) -> Duration? {
        if now > filledAt {
            tokens = min(capacity, tokens + (now - filledAt) / .seconds(1) * perSecond)
            filledAt = now
        }
        // A whole token less a rounding error of floating-point numbers is a whole one.
        guard tokens < 1 - 1e-9 else {
            tokens -= 1
            return nil
        }
        return .seconds((1 - tokens) / perSecond)
    }
}
