import Catalog
import WebAPI
import WireText

extension DeclaredCatalog {
    /// Returns a policy that records each failure, and decides whether to retry the request.
    func retries(
        of endpoint: LookupEndpoint, _ request: RequestDeclaration, wasProbe: Bool
    ) -> RetryPolicy {
        let settings = declaration.resilience
        return RetryPolicy { [self] failure in
            let found = endpoint.failure(failure.reason)
            let now = clock.now()
            let response = failure.attempts.last?.output.response
            let code = failure.isCutShort(settings) ? .cancelled : found.code
            gate.record(
                .init(failure: code, pause: found.retryAfter ?? response.flatMap(pause)),
                wasProbe: wasProbe && failure.tries == 1, at: now)
            let isSafe =
                request.isRepeatable || failure.isSafeToRepeat || found.code == .throttled
            let decision = RetryPolicy.decision(
                after: found, isSafe: isSafe, tries: failure.tries, left: failure.remaining,
                settings, chance: chance())
            guard case .retry(let wait) = decision, gate.admitsRetry(at: now + wait) else {
                return .giveUp
            }
            return decision
        }
    }

    func pause(after response: Response) -> Duration? {
        declaration.rateLimit.pause(after: response, clock.date())
    }
}

extension RetryPolicy.Failure {
    /// Whether a request timed out only because of the lookup's deadline.
    fileprivate func isCutShort(_ settings: ResilienceSettings) -> Bool {
        guard case .noResponse(let error) = reason, case .timedOut(let limit) = error.kind,
            let last = attempts.last
        else { return false }
        let whole = min(settings.attemptTimeout, settings.lookupLimit)
        let isConnecting = [.dns, .connect, .tls].contains(error.phase)
        let needed = isConnecting ? min(settings.connectTimeout, whole) : whole
        // Time spent on earlier attempts in the same lookup counts as well.
        return max(limit, last.startedAfter + last.took) + RetryPolicy.shortestAttempt < needed
    }
}

extension RetryPolicy {
    /// The shortest time in which a request may succeed; with less time left, none is sent.
    static let shortestAttempt = Duration.milliseconds(50)

    /// Decides whether to retry, and how long to wait.
    ///
    /// `isSafe` means that a retry does no harm. `chance` (`0..<1`) scales the wait unless the catalog requested one.
    static func decision(
        after failure: LookupFailure, isSafe: Bool, tries: Int, left: Duration,
        _ settings: ResilienceSettings, chance: Double
    ) -> Decision {
        guard tries < settings.attempts, isSafe, failure.code.isPassing else { return .giveUp }
        // If a catalog throttles without naming a time, do not retry.
        guard failure.code != .throttled || failure.retryAfter != nil else { return .giveUp }
        // Full jitter: a random part of the longest wait, which doubles with each attempt.
        let wait = failure.retryAfter ?? settings.backoff * (1 << min(tries - 1, 10)) * chance
        return wait + shortestAttempt <= left ? .retry(after: wait) : .giveUp
    }
}

/// A budget that limits retries while many requests fail, so that they do not overload the catalog.
///
/// Each failure takes a token, and each success returns a tenth of one. Retries are allowed while more than half of the
/// tokens are left. Rule: gRFC A6, "Throttling Retry Attempts".
struct RetryBudget: Sendable {
    /// The maximum number of retry tokens, in tenths of a token so that nothing is rounded.
    private let capacity: Int
    private var tenths: Int

    init(tokens: Int) { (capacity, tenths) = (tokens * 10, tokens * 10) }

    var allowsRetry: Bool { tenths * 2 > capacity }

    mutating func record(isSuccess: Bool) {
        tenths = isSuccess ? min(capacity, tenths + 1) : max(0, tenths - 10)
    }
}

extension LookupFailure.Code {
    /// Whether the same request might succeed shortly after this failure.
    fileprivate var isPassing: Bool {
        [.timedOut, .unreachable, .brokenConnection, .throttled, .serverError].contains(self)
    }

    /// Whether the failure suggests that the catalog fails for all codes.
    ///
    /// An error reported for one code does not count, because that code must not block the lookups of all others. Nor
    /// does throttling, which ``SourceGate`` handles separately.
    var isOutage: Bool {
        [
            .timedOut, .unreachable, .tls, .brokenConnection, .unauthorized, .serverError,
            .unreadableAnswer,
        ].contains(self)
    }
}

extension LookupFailure {
    init(_ reason: CallError.Reason, name: String, mask: Redaction) {
        switch reason {
        case .noResponse(let error):
            let words = mask.applied(to: error.description)
            self.init(Self.code(error), "The catalog \(name) did not answer: \(words: words).")
        case .noTime:
            self.init(.timedOut, "The time was up before the catalog \(name) could be asked.")
        default: self = .givenUp
        }
    }

    static let givenUp = LookupFailure(.cancelled, "The lookup was given up.")

    private static func code(_ error: ConnectionError) -> Code {
        switch error.kind {
        case .unknownHost, .refused, .unreachable: .unreachable
        case .timedOut: .timedOut
        case .bodyTooLarge: .answerTooLong
        case .cancelled, .shutDown: .cancelled
        default: error.phase == .tls ? .tls : .brokenConnection
        }
    }
}
