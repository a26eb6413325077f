import Catalog
import WebAPI

/// Decides, for the requests of one lookup, whether to send one again, and when.
struct RetryPlan: Sendable {
    /// What matters about a failure.
    struct Failure: Equatable, Sendable {
        /// The kind of failure.
        var code: LookupFailure.Code
        /// When the catalog wants to be asked again.
        var retryAfter: Duration?
        /// Whether the request can be sent again: it only asks, or it never arrived.
        var isSafe: Bool
    }

    /// The shortest time in which a request can be expected to be answered; with less of it left, a
    /// retry would only add load.
    static let shortestAttempt = Duration.milliseconds(50)

    private let attempts: Int
    private let backoff: Duration
    private var sent = 0

    init(attempts: Int, backoff: Duration) {
        self.attempts = attempts
        self.backoff = backoff
    }

    /// Notes that a request is sent.
    mutating func recordAttempt() { sent += 1 }

    /// Decides what to do after a failure.
    ///
    /// - Parameters:
    ///   - failure: What happened.
    ///   - left: How much time there is for the whole lookup.
    ///   - budget: Whether the budget allows a retry.
    ///   - chance: A random number of at least 0 and below 1.
    /// - Returns: What to do.
    func action(
        after failure: Failure, left: Duration, budgetAllows budget: Bool, chance: Double
    ) -> RetryPolicy.Decision {
        guard sent < attempts, failure.isSafe, budget, failure.code.isPassing else {
            return .giveUp
        }
        let wait: Duration
        if let retryAfter = failure.retryAfter {
            wait = retryAfter
        } else {
            // A catalog that throttles without a time is not asked again.
            guard failure.code != .throttled else { return .giveUp }
            wait = longestWait * chance
        }
        guard wait + Self.shortestAttempt <= left else { return .giveUp }
        return .retry(after: wait)
    }

    /// Full jitter: anything from nothing to this, which doubles each time.
    private var longestWait: Duration {
        backoff * (1 << min(max(0, sent - 1), 10))
    }
}

extension LookupFailure.Code {
    /// Whether the same request may well succeed in a moment.
    var isPassing: Bool {
        switch self {
        case .timedOut, .unreachable, .brokenConnection, .throttled, .serverError: true
        case .tls, .unauthorized, .unexpectedStatus, .unreadableAnswer, .answerTooLong,
            .reportedError, .unusableProduct, .otherProduct, .suspended, .quotaUsedUp,
            .unreadableSecret, .invalidRequest, .unusableCatalog, .cancelled:
            false
        }
    }

    /// Whether it says that the catalog is out of order, for every code alike.
    ///
    /// What depends on the code asked for does not count: a scan that makes a catalog answer with
    /// an error must not keep it from the others. Nor does being throttled, which has a rule of its
    /// own.
    var isOutage: Bool {
        switch self {
        case .timedOut, .unreachable, .tls, .brokenConnection, .unauthorized, .serverError,
            .unreadableAnswer:
            true
        case .throttled, .unexpectedStatus, .answerTooLong, .reportedError, .unusableProduct,
            .otherProduct, .suspended, .quotaUsedUp, .unreadableSecret, .invalidRequest,
            .unusableCatalog, .cancelled:
            false
        }
    }
}
