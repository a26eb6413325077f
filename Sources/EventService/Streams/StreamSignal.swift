import Synchronization

/// Wakes one stream to send new events or a comment, or to end.
final class StreamSignal: Sendable {
    struct Reasons: OptionSet, Sendable {
        let rawValue: Int
        static let news = Reasons(rawValue: 1)
        static let comment = Reasons(rawValue: 2)
        /// The connection has closed, so the stream must end.
        static let end = Reasons(rawValue: 4)
    }

    private struct State {
        var reasons: Reasons = []
        var waiting: CheckedContinuation<Reasons, Never>?

        mutating func take() -> Reasons {
            defer { reasons.formIntersection(.end) }
            return reasons
        }
    }

    private let state = Mutex(State())

    /// Wakes the stream, or makes its next wait return immediately.
    func set(_ reason: Reasons = .news) {
        let waiting = state.withLock { state -> (CheckedContinuation<Reasons, Never>, Reasons)? in
            state.reasons.formUnion(reason)
            return state.waiting.take().map { ($0, state.take()) }
        }
        if let (waiting, reasons) = waiting { waiting.resume(returning: reasons) }
    }

    /// Waits until the stream is woken, and returns the reasons since the previous wait.
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

    var isEnd: Bool { state.withLock { $0.reasons.contains(.end) } }
}
