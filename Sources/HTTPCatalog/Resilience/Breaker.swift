import Catalog

/// Decides when to stop asking a catalog that keeps failing, and when to try it again.
///
/// While closed, the breaker counts the requests of the last `window`; if there are enough of them and enough have
/// failed, it opens. While open, it refuses requests until its time is over and then lets one through as a probe. A
/// successful probe closes the breaker; a failed one opens it for twice as long.
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
        // A probe that never returns delays the others no longer than a failed one.
        state = .open(until: now + span, span: span, isProbed: true)
        return .probing
    }

    /// Records the end of a request; `isFailure` if the catalog, and not the request, was at fault.
    mutating func record(isFailure: Bool, wasProbe: Bool, at now: MonotonicTime) {
        switch state {
        case .open(_, let span, isProbed: true) where wasProbe:
            self = Breaker(settings)
            if isFailure { open(for: span * 2, at: now) }
        case .open:
            // A request from before it opened says nothing about the current state.
            break
        case .closed:
            calls.append((now, isFailure))
            calls.removeAll { $0.at <= now - settings.window }
            if isTooBad { open(for: settings.openFor, at: now) }
        }
    }

    /// Withdraws a probe that was abandoned before it had a result.
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
