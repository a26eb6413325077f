import HTTPTypes

extension RetryPolicy {
    /// Tries again what may go well the next time, where that can do no harm.
    ///
    /// That is: no connection, but for reasons that last such as a wrong certificate; 408, 502, 503
    /// and 504; and throttling, for which the server's own wait counts where it is longer.
    ///
    /// - Parameters:
    ///   - tries: How often at the most, the first included.
    ///   - waits: How long to wait before the second try, the third and so on; the last one counts
    ///     for all further ones.
    ///   - now: The date, for servers that say until when to wait but not what time it is.
    /// - Returns: The policy.
    public static func transient(
        tries: Int, waits: [Duration], now: @escaping @Sendable () -> HTTPDate = { .now }
    ) -> RetryPolicy {
        RetryPolicy { failure in
            guard failure.tries < tries, failure.isSafeToRepeat, failure.isTransient else {
                return .giveUp
            }
            let ours = waits.isEmpty ? .zero : waits[min(failure.tries, waits.count) - 1]
            let theirs = failure.retryAfter?.wait(now: now()) ?? .zero
            return .retry(after: max(ours, theirs))
        }
    }
}

extension RetryPolicy.Failure {
    /// How long the server asks to be left alone, where it does.
    public var retryAfter: RetryAfter? {
        if case .noModel(.throttled(_, let wait, _)) = reason { return wait }
        return attempts.last?.output.response.flatMap { RetryAfter($0.headers) }
    }

    /// Whether it may go well the next time.
    public var isTransient: Bool {
        switch reason {
        case .noResponse(let error): error.kind.isTransient
        case .noModel(.throttled): true
        case .noModel(.unacceptableStatus(let status, _)):
            [408, 502, 503, 504].contains(status.code)
        default: false
        }
    }
}

extension ConnectionError.Kind {
    /// Whether it may go away by itself.
    fileprivate var isTransient: Bool {
        switch self {
        case .unknownHost, .refused, .unreachable, .timedOut, .noFreeConnection, .closed,
            .unaskedAnswer, .other:
            true
        default: false
        }
    }
}
