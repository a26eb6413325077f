/// Decides whether a call is tried again.
///
/// It sees the result as it was understood, not the status alone: a service may answer 200 for "too
/// many requests" and 400 for "no such thing".
public struct RetryPolicy: Sendable {
    /// What is decided.
    public enum Decision: Hashable, Sendable {
        /// The last result is the call's.
        case giveUp
        /// It is tried again after this time.
        case retry(after: Duration)
    }

    /// What is decided on.
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

    /// Makes a policy.
    ///
    /// - Parameter decide: Decides on a failure. It is not asked where the call was cancelled or no
    ///   request could be made.
    public init(_ decide: @escaping @Sendable (Failure) -> Decision) {
        self.decide = decide
    }

    /// Nothing is tried again.
    public static let never = RetryPolicy { _ in .giveUp }

    /// Decides on a failure.
    ///
    /// - Parameter failure: The failure.
    /// - Returns: The decision.
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
