/// Decides when a catalog that keeps failing is left alone, and when it is tried again.
///
/// Closed, it counts the requests of the last `window`; if there are enough and enough of them
/// failed, it opens. Open, it refuses until its time is over; then one request is let through as a
/// probe. A probe that succeeds closes it, one that fails opens it for twice as long.
struct Breaker: Sendable {
    /// What a request is to do.
    enum Admission: Equatable, Sendable {
        /// Go ahead.
        case go
        /// Go ahead: others wait for how this one ends.
        case probe
        /// Do not; it makes sense again after this time.
        case refuse(Duration)
    }

    private enum State {
        case closed
        case open(until: MonotonicTime, span: Duration)
        case probing(until: MonotonicTime, span: Duration)
    }

    private struct Call {
        let at: MonotonicTime
        let isFailure: Bool
    }

    private let settings: BreakerSettings
    private var state = State.closed
    private var calls: [Call] = []

    init(_ settings: BreakerSettings) {
        self.settings = settings
    }

    mutating func admit(at now: MonotonicTime) -> Admission {
        switch state {
        case .closed: return .go
        case .open(let until, _) where now < until: return .refuse(until - now)
        case .probing(let until, _) where now < until: return .refuse(until - now)
        case .open(_, let span), .probing(_, let span):
            // A probe that never came back holds the others up for no longer than a failure.
            state = .probing(until: now + span, span: span)
            return .probe
        }
    }

    /// Records how a request ended.
    ///
    /// - Parameters:
    ///   - isFailure: Whether the catalog, and not the request, was at fault.
    ///   - wasProbe: What ``admit(at:)`` said of the request.
    ///   - now: When it ended.
    mutating func record(isFailure: Bool, wasProbe: Bool, at now: MonotonicTime) {
        switch state {
        case .probing(_, let span) where wasProbe:
            guard isFailure else {
                state = .closed
                calls = []
                return
            }
            open(for: min(span * 2, settings.openAtMost), at: now)
        case .closed:
            calls.append(Call(at: now, isFailure: isFailure))
            calls.removeAll { $0.at <= now - settings.window }
            if isTooBad { open(for: min(settings.openFor, settings.openAtMost), at: now) }
        case .open, .probing:
            // A request from before it opened says nothing about now.
            break
        }
    }

    /// Takes back a probe that was given up before it could show anything.
    mutating func abandonProbe() {
        guard case .probing(let until, let span) = state else { return }
        state = .open(until: until - span, span: span)
    }

    private var isTooBad: Bool {
        let failures = calls.count { $0.isFailure }
        return calls.count >= settings.minimumCalls
            && failures * 100 >= calls.count * settings.failurePercent
    }

    private mutating func open(for span: Duration, at now: MonotonicTime) {
        state = .open(until: now + span, span: span)
        calls = []
    }
}
