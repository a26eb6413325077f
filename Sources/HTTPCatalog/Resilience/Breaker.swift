import Catalog

/// A circuit breaker, which stops requests to a failing catalog for a while.
///
/// A breaker opens if there were enough requests in the last `window` and too many of them failed. An open breaker
/// refuses requests, and later admits one as a probe. If the probe succeeds, the breaker closes. If it fails, the
/// breaker stays open twice as long as before.
struct Breaker: Sendable {
    private enum State {
        case closed
        case open(until: MonotonicTime, span: Duration, isProbed: Bool)
    }

    private let settings: BreakerSettings
    private var state = State.closed
    private var calls: [(at: MonotonicTime, isFailure: Bool)] = []

    init(_ settings: BreakerSettings) { self.settings = settings }

    mutating func admit(at now: MonotonicTime) -> SourceState {
        guard case .open(let until, let span, _) = state else { return .ready }
        guard now >= until else { return .refusing(.suspended, for: until - now) }
        // If this probe never returns, another one is admitted after the same time.
        state = .open(until: now + span, span: span, isProbed: true)
        return .probing
    }

    /// Records the result of a request; `isFailure` means that the catalog was at fault, not the request.
    mutating func record(isFailure: Bool, wasProbe: Bool, at now: MonotonicTime) {
        switch state {
        case .open(_, let span, isProbed: true) where wasProbe:
            self = Breaker(settings)
            if isFailure { open(for: span * 2, at: now) }
        case .open:
            // This request was sent before the breaker opened, so its result says nothing about the current state.
            break
        case .closed:
            calls.append((now, isFailure))
            calls.removeAll { $0.at <= now - settings.window }
            if isTooBad { open(for: settings.openFor, at: now) }
        }
    }

    /// Makes the next request the probe; call this if the current probe yields no result.
    mutating func abandonProbe() {
        guard case .open(let until, let span, isProbed: true) = state else { return }
        state = .open(until: until - span, span: span, isProbed: false)
    }

    private var isTooBad: Bool {
        let failures = calls.count { $0.isFailure }
        return calls.count >= settings.minimumCalls
            && failures * 100 >= calls.count * settings.failurePercent
    }

    private mutating func open(for span: Duration, at now: MonotonicTime) {
        let span = min(span, settings.openAtMost)
        state = .open(until: now + span, span: span, isProbed: false)
        calls = []
    }
}
