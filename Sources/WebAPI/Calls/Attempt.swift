import WireText

/// One request that was sent, and what came of it.
public struct Attempt: Sendable {
    /// Why it was sent.
    public enum Cause: String, Hashable, Sendable {
        /// It was the first.
        case first
        /// The one before failed.
        case retry
        /// The one before was answered with a redirect that is followed.
        case redirect
    }

    /// Why it was sent.
    public let cause: Cause

    /// The request as it was sent, after all interceptors.
    public let request: Request

    /// What came of it, after all interceptors.
    public let output: Output

    /// How long was waited before it.
    public let waited: Duration

    /// When it began, counted from the beginning of the call.
    public let startedAfter: Duration

    /// How long it took.
    public let took: Duration

    /// Makes an attempt.
    ///
    /// - Parameters:
    ///   - cause: Why it was sent.
    ///   - request: The request as it was sent.
    ///   - output: What came of it.
    ///   - waited: How long was waited before it.
    ///   - startedAfter: When it began, counted from the beginning of the call.
    ///   - took: How long it took.
    public init(
        cause: Cause, request: Request, output: Output, waited: Duration, startedAfter: Duration,
        took: Duration
    ) {
        self.cause = cause
        self.request = request
        self.output = output
        self.waited = waited
        self.startedAfter = startedAfter
        self.took = took
    }
}

extension Attempt: CustomStringConvertible {
    /// One line: when, why, what was sent and what came of it.
    public var description: String {
        let result =
            switch output {
            case .response(let response): response.description
            case .noResponse(let error): error.description
            }
        let wait = waited > .zero ? ", waited \(waited.text)" : ""
        return "\(cause.rawValue) at \(startedAfter.text)\(wait): \(request): \(result), "
            + "took \(took.text)"
    }
}
