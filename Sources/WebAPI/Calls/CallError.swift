import WireText

/// Why a call gave no model, with all that is known of it.
///
/// No description of it shows a secret: not the values of `Authorization`, `Cookie`, `X-API-Key`
/// and the like, nor those of query items that are marked or named as secret, nor any of these if
/// the server repeats them. ``reason`` and ``attempts`` by themselves hold what the server said; for a
/// sentence take ``reasonText``.
public struct CallError: Error, Sendable, Redacted, CustomDebugStringConvertible {
    /// The endpoint's name.
    public let endpoint: String
    /// Why there is no model.
    public let reason: Reason
    /// The request that was sent last; nil if none could be made.
    public let request: Request?
    /// All that was sent, in order; empty if nothing was.
    public let attempts: [Attempt]

    /// The last response, whole, if there is one.
    public var response: Response? { attempts.last?.output.response }

    /// The error of the last connection, if that is why.
    public var connectionError: ConnectionError? {
        if case .noResponse(let error) = reason { error } else { nil }
    }

    /// Why the last response became no model, if that is why.
    public var transformError: TransformError? {
        if case .noModel(let error) = reason { error } else { nil }
    }

    /// ``reason`` in one sentence without its full stop, secrets left out.
    public var reasonText: String { redaction.applied(to: reason.description) }

    /// One line: which endpoint, why, and what was sent.
    public var description: String {
        var text = "\(endpoint): \(reasonText)"
        if let request { text += "; the request was \(request)" }
        if attempts.count > 1 { text += ", the last of \(attempts.count)" }
        return text
    }

    /// The same, and below it all attempts and the last request and response.
    public var debugDescription: String {
        var lines = attempts.enumerated().map { "attempt \($0 + 1), \($1)" }
        if let request { lines.append(request.debugDescription) }
        if let response { lines.append(response.debugDescription) }
        let details = redaction.applied(to: lines.joined(separator: "\n"))
        return details.isEmpty ? description : "\(description)\n\(details)"
    }

    private var redaction: Redaction {
        Redaction(attempts.map(\.request) + [request].compactMap(\.self))
    }
}

extension CallError {
    /// Why a call gave no model.
    public enum Reason: Error, Equatable, Sendable {
        /// The endpoint's request could not be made.
        case noRequest(RequestError)
        /// There is no response.
        case noResponse(ConnectionError)
        /// The response became no model.
        case noModel(TransformError)
        /// The task was cancelled.
        case cancelled
        /// The time was up before anything was sent.
        case noTime
    }
}

extension CallError.Reason: CustomStringConvertible {
    /// One sentence without its full stop.
    public var description: String {
        switch self {
        case .noRequest(let error): error.description
        case .noResponse(let error): error.description
        case .noModel(let error): error.description
        case .cancelled: "the call was cancelled"
        case .noTime: "the time was up before the request was sent"
        }
    }
}

/// One request that was sent, and what came of it.
public struct Attempt: Sendable, CustomStringConvertible {
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
