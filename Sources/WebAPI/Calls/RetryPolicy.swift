import HTTPTypes

/// Decides whether to retry a call.
///
/// It sees the interpreted result and not just the status: a service may use 200 for "too many requests"
/// and 400 for "no such thing".
public struct RetryPolicy: Sendable {
    /// The decision on a failure.
    public enum Decision: Hashable, Sendable {
        /// Return the last result.
        case giveUp
        /// Retry after this time.
        case retry(after: Duration)
    }

    /// A failure and its history.
    public struct Failure: Sendable {
        /// The endpoint's name.
        public let endpoint: String
        /// The reason why there is no model.
        public let reason: CallError.Reason
        /// Everything sent so far, in order.
        public let attempts: [Attempt]
        /// The number of tries so far, not counting redirects.
        public let tries: Int
        /// The time left for the call.
        public let remaining: Duration
    }

    /// Decides on a failure.
    public let decision: @Sendable (Failure) -> Decision

    /// Makes a policy from a function; it is not called after a cancellation.
    public init(_ decision: @escaping @Sendable (Failure) -> Decision) {
        self.decision = decision
    }

    /// Never retries.
    public static let never = RetryPolicy { _ in .giveUp }
}

extension RetryPolicy.Failure {
    /// Whether sending the request again is harmless: sending it twice has the effect of sending it once, or
    /// the server cannot have seen it.
    public var isSafeToRepeat: Bool {
        guard let last = attempts.last else { return true }
        if last.request.methodAndPayload.isIdempotent { return true }
        return last.output.connectionError?.serverMayHaveBeenReached == false
    }
}

extension RetryPolicy {
    /// Retries failures that may be temporary, if sending the request again is harmless.
    ///
    /// It retries failed connections, unless the cause is lasting, such as a wrong certificate; the statuses 408, 502,
    /// 503 and 504; and throttling, for which the server's own wait applies if it is longer. Half of our wait is
    /// random, and up to a tenth is added to the server's, so that many clients do not return at the same moment.
    ///
    /// It gives up after `tries`, including the first. `waits` are the waits before the second try, the third and so
    /// on; the last one applies to all further tries. `now` is used if a server names the time to wait until but not
    /// its own time; `chance` returns a random number in `0..<1`.
    public static func transient(
        tries: Int, waits: [Duration], now: @escaping @Sendable () -> HTTPDate = { .now },
        chance: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) -> RetryPolicy {
        RetryPolicy { failure in
            guard failure.tries < tries, failure.isSafeToRepeat, failure.isTransient else {
                return .giveUp
            }
            let ours = waits.isEmpty ? .zero : waits[min(failure.tries, waits.count) - 1]
            let theirs = failure.retryAfter?.wait(now: now()) ?? .zero
            let share = chance()
            return .retry(after: max(ours * (0.5 + share / 2), theirs * (1 + share / 10)))
        }
    }
}

extension RetryPolicy.Failure {
    /// The wait that the server asks for; nil if it asks for none.
    public var retryAfter: RetryAfter? {
        if case .noModel(.throttled(_, let wait, _)) = reason { return wait }
        return attempts.last?.output.response.flatMap { RetryAfter($0.headers) }
    }

    /// Whether another try may succeed.
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
    /// Whether another try may succeed.
    fileprivate var isTransient: Bool {
        switch self {
        case .unknownHost, .refused, .unreachable, .timedOut, .closed, .other: true
        default: false
        }
    }
}

/// The wait before the next try: it doubles each time, and half of it is random, so that many clients
/// do not return at the same moment.
package struct Backoff: Equatable, Sendable {
    /// The longest wait that the other side may ask for.
    private static let longestAsked = Duration.seconds(3600)

    package let first: Duration
    package let longest: Duration
    private var failures = 0

    /// Makes a backoff that grows from a wait of `first` to `longest`.
    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// The next wait, at least as long as the other side asks.
    ///
    /// A `chance` of 0 returns half of our wait, 1 all of it. The other side's wait is extended by up to a quarter,
    /// since it may ask many clients at once.
    package mutating func next(
        asked: Duration? = nil, chance: Double = .random(in: 0..<1)
    ) -> Duration {
        let full = min(first * (1 << min(failures, 20)), longest)
        failures += 1
        let theirs = min(asked ?? .zero, Self.longestAsked) * (1 + chance / 4)
        return max(full / 2 + full / 2 * chance, theirs)
    }

    /// Starts again with the first wait.
    package mutating func reset() { failures = 0 }
}
