import HTTPTypes

/// Decides whether a call is tried again.
///
/// It sees the result as it was understood, not the status alone: a service may answer 200 for "too
/// many requests" and 400 for "no such thing".
public struct RetryPolicy: Sendable {
    /// The decision on a failure.
    public enum Decision: Hashable, Sendable {
        /// The last result is the call's.
        case giveUp
        /// It is tried again after this time.
        case retry(after: Duration)
    }

    /// A failure, and what led to it.
    public struct Failure: Sendable {
        /// The endpoint's name.
        public let endpoint: String
        /// Why there is no model.
        public let reason: CallError.Reason
        /// All that was sent so far, in order.
        public let attempts: [Attempt]
        /// How often it was tried so far, redirects not counted.
        public let tries: Int
        /// The time that is left.
        public let remaining: Duration
    }

    private let decide: @Sendable (Failure) -> Decision

    /// Makes a policy of a function, which is not called after a cancellation.
    public init(_ decide: @escaping @Sendable (Failure) -> Decision) {
        self.decide = decide
    }

    /// Nothing is tried again.
    public static let never = RetryPolicy { _ in .giveUp }

    /// Decides on a failure.
    public func decision(on failure: Failure) -> Decision { decide(failure) }
}

extension RetryPolicy.Failure {
    /// Whether sending the request again can do no harm: it changes nothing when it is done twice,
    /// or the server cannot have seen it.
    public var isSafeToRepeat: Bool {
        guard let last = attempts.last else { return true }
        if last.request.methodAndPayload.isIdempotent { return true }
        return last.output.connectionError?.serverMayHaveBeenReached == false
    }
}

extension RetryPolicy {
    /// Tries again what may go well the next time, if that can do no harm.
    ///
    /// That is: no connection, but for reasons that last such as a wrong certificate; 408, 502, 503
    /// and 504; and throttling, for which the server's own wait counts if it is longer. Half of our
    /// wait is random, and up to a tenth is added to the server's, so that many clients do not come
    /// back at once.
    ///
    /// - Parameters:
    ///   - tries: How often at the most, the first included.
    ///   - waits: How long to wait before the second try, the third and so on; the last one counts
    ///     for all further ones.
    ///   - now: The date, for servers that say until when to wait but not what time it is.
    ///   - chance: A random number of at least 0 and below 1.
    /// - Returns: A policy that gives up after `tries`.
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
    /// Whether the next try may succeed.
    fileprivate var isTransient: Bool {
        switch self {
        case .unknownHost, .refused, .unreachable, .timedOut, .closed, .other: true
        default: false
        }
    }
}

/// How long to wait before the next try: twice as long each time, and half of it random, so that many
/// clients do not come back at once.
package struct Backoff: Equatable, Sendable {
    /// The longest wait that the other side can ask for.
    private static let longestAsked = Duration.seconds(3600)

    package let first: Duration
    package let longest: Duration
    private var failures = 0

    /// Begins with a wait of `first`, and ends with `longest`.
    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// The next wait, at least as long as the other side asks; `chance` is 0 for half the time, 1 for all.
    ///
    /// What the other side asks of many clients at once gets up to a quarter longer.
    package mutating func next(
        asked: Duration? = nil, chance: Double = .random(in: 0..<1)
    ) -> Duration {
        let full = min(first * (1 << min(failures, 20)), longest)
        failures += 1
        let theirs = min(asked ?? .zero, Self.longestAsked) * (1 + chance / 4)
        return max(full / 2 + full / 2 * chance, theirs)
    }

    /// Begins with the first wait again.
    package mutating func reset() { failures = 0 }
}
