import HTTPTypes

/// A policy that decides whether to retry a failed call.
///
/// A policy sees the error as well as the status, because some services report throttling with status 200, or a missing
/// object with status 400.
public struct RetryPolicy: Sendable {
    /// A policy's decision to retry or give up after a failure.
    public enum Decision: Hashable, Sendable {
        case giveUp
        case retry(after: Duration)
    }

    /// The failure of a call's latest try, and all attempts so far.
    ///
    /// An attempt is a single request. A try is a request and any redirects that were followed, so it may consist of
    /// several attempts.
    public struct Failure: Sendable {
        /// The name of the endpoint whose call failed, such as `Shop.Stock`.
        public let endpoint: String
        /// Why the last try failed.
        public let reason: CallError.Reason
        /// All attempts so far, including followed redirects, in the order in which they were sent.
        public let attempts: [Attempt]
        /// The number of tries so far, not counting redirects.
        public let tries: Int
        /// The time left for the call.
        public let remaining: Duration
    }

    /// The function that decides whether to retry after a failure, and how long to wait before the retry.
    public let decision: @Sendable (Failure) -> Decision

    /// Creates a policy from a function; the client does not call the function after a cancellation.
    public init(_ decision: @escaping @Sendable (Failure) -> Decision) {
        self.decision = decision
    }

    /// A policy that gives up after the first failure.
    public static let never = RetryPolicy { _ in .giveUp }
}

extension RetryPolicy.Failure {
    /// Whether the request is idempotent or certainly did not reach the server.
    public var isSafeToRepeat: Bool {
        guard let last = attempts.last else { return true }
        if last.request.methodAndPayload.isIdempotent { return true }
        return last.output.connectionError?.serverMayHaveBeenReached == false
    }
}

extension RetryPolicy {
    /// Makes a policy that retries a failure if it may be temporary and the request can safely be sent again.
    ///
    /// The policy retries after status 408, 502, 503 or 504, after throttling, and after connection failures that may
    /// be temporary. It shortens each wait at random by up to half, so that clients do not all retry at the same
    /// moment. If the server asks for a longer wait, the policy waits that long, plus up to a tenth.
    ///
    /// `tries` is the maximum number of tries, including the first. `waits` contains the waits before the second try,
    /// the third and so on; the last one applies to all later tries. `now` returns the current time, which is needed if
    /// `Retry-After` is a date and the response has no `Date`. `chance` returns a random number in `0..<1`.
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

    /// Whether the failure may be temporary, so that another try could succeed.
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
    fileprivate var isTransient: Bool {
        switch self {
        case .unknownHost, .refused, .unreachable, .timedOut, .closed, .other: true
        default: false
        }
    }
}

/// A generator of the waits between tries, which double up to a maximum and are partly random.
package struct Backoff: Equatable, Sendable {
    /// The limit on waits that a server asks for; a longer wait counts as one hour.
    private static let longestAsked = Duration.seconds(3600)

    package let first: Duration
    package let longest: Duration
    private var failures = 0

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Returns the wait before the next try, which is at least `asked`, the wait that the server requests.
    ///
    /// `asked` is limited to one hour. A random `chance`, from 0 to 1, shortens the normal wait by up to half, and
    /// extends `asked` by up to a quarter, so that clients do not all try again at the same moment.
    package mutating func next(
        asked: Duration? = nil, chance: Double = .random(in: 0..<1)
    ) -> Duration {
        let full = min(first * (1 << min(failures, 20)), longest)
        failures += 1
        let theirs = min(asked ?? .zero, Self.longestAsked) * (1 + chance / 4)
        return max(full / 2 + full / 2 * chance, theirs)
    }

    /// Starts over with the first, shortest wait; call this after a success.
    package mutating func reset() { failures = 0 }
}
