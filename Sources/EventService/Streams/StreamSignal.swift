import Synchronization

/// Wakes one stream: for events, for a comment, or for its end.
final class StreamSignal: Sendable {
    /// Why a stream was woken.
    struct Reasons: OptionSet, Sendable {
        let rawValue: Int
        /// There may be something new.
        static let news = Reasons(rawValue: 1)
        /// It is time for a comment.
        static let comment = Reasons(rawValue: 2)
        /// Its connection is closed, or shall be.
        static let end = Reasons(rawValue: 4)
        /// Another stream reads as its consumer.
        static let displaced = Reasons(rawValue: 8)

        /// What stays a reason once it is one.
        fileprivate static let lasting: Reasons = [.end, .displaced]
    }

    fileprivate struct State {
        var reasons: Reasons = []
        var waiting: CheckedContinuation<Reasons, Never>?
    }

    private let state = Mutex(State())

    /// Wakes the stream, or has its next wait return at once.
    func set(_ reason: Reasons = .news) {
        let waiting = state.withLock { state -> (CheckedContinuation<Reasons, Never>, Reasons)? in
            state.reasons.formUnion(reason)
            guard let waiting = state.waiting else { return nil }
            state.waiting = nil
            return (waiting, state.take())
        }
        if let (waiting, reasons) = waiting { waiting.resume(returning: reasons) }
    }

    /// Returns once there is a reason; that the stream is to end stays one.
    func wait() async -> Reasons {
        await withCheckedContinuation { continuation in
            let reasons = state.withLock { state -> Reasons? in
                guard state.reasons.isEmpty else { return state.take() }
                state.waiting = continuation
                return nil
            }
            if let reasons { continuation.resume(returning: reasons) }
        }
    }

    /// Whether its connection is closed, or shall be.
    var isEnded: Bool { state.withLock { $0.reasons.contains(.end) } }

    /// Whether another stream reads as its consumer.
    var isDisplaced: Bool { state.withLock { $0.reasons.contains(.displaced) } }
}

extension StreamSignal.State {
    fileprivate mutating func take() -> StreamSignal.Reasons {
        defer { reasons.formIntersection(.lasting) }
        return reasons
    }
}
