package import Catalog
import WireText

/// Whether the rules of a catalog let a request go: its breaker, its quota, and the patience it
/// asked for.
package struct GateReading: Hashable, Sendable {
    /// What becomes of a request.
    package enum Admission: Hashable, Sendable {
        /// It goes: the breaker is closed.
        case goes
        /// It goes as the probe: the breaker was open, and closes or opens again with it.
        case goesAsProbe
        /// It does not go, for this reason; one does after this time.
        case refused(LookupFailure.Code, retryAfter: Duration)
    }

    /// What becomes of the next request.
    package var admission: Admission
    /// Whether a request that fails may be sent again.
    package var allowsRetry: Bool
}

extension GateReading {
    /// What the rules would say to a request; they are asked as they are, and not changed.
    init(_ gate: SourceGate, at now: Moment) {
        var copy = gate
        switch copy.admit(at: now) {
        case .go(let isProbe): admission = isProbe ? .goesAsProbe : .goes
        case .refuse(let code, let wait): admission = .refused(code, retryAfter: wait)
        }
        allowsRetry = gate.allowsRetry
    }
}

extension GateReading: CustomStringConvertible {
    /// All of it, in a sentence.
    package var description: String {
        let text =
            switch admission {
            case .goes: "breaker closed"
            case .goesAsProbe: "breaker open: this request is the probe"
            case .refused(.suspended, let wait): "breaker open for another \(wait.text)"
            case .refused(.throttled, let wait):
                "the catalog wants no requests for another \(wait.text)"
            case .refused(_, let wait): "quota used up for another \(wait.text)"
            }
        return allowsRetry ? text : text + ", too many failures for retries"
    }
}
