import WireText

/// The reason why a call produced no model, with everything known about it.
///
/// Descriptions never show secrets: neither the values of `Authorization`, `Cookie`, `X-API-Key` and the
/// like, nor query items that are marked or named as secret, nor any of these if the server repeats
/// them. ``reason`` and ``attempts`` contain the server's words unredacted; to show the reason to someone,
/// use ``reasonText``.
public struct CallError: Error, Sendable, Redacted, CustomDebugStringConvertible {
    /// The endpoint's name.
    public let endpoint: String
    /// The reason why there is no model.
    public let reason: Reason
    /// The last request that was sent; nil if no request could be made.
    public let request: Request?
    /// Everything that was sent, in order; empty if nothing was.
    public let attempts: [Attempt]

    /// The last response, if there was a complete one.
    public var response: Response? { attempts.last?.output.response }

    /// The error of the last connection, if that is the reason.
    public var connectionError: ConnectionError? {
        if case .noResponse(let error) = reason { error } else { nil }
    }

    /// The reason why the last response could not become a model, if that is the reason.
    public var transformError: TransformError? {
        if case .noModel(let error) = reason { error } else { nil }
    }

    /// ``reason`` as a sentence without full stop and without secrets.
    public var reasonText: String { redaction.applied(to: reason.description) }

    /// One line: the endpoint, the reason, and the request.
    public var description: String {
        var text = "\(endpoint): \(reasonText)"
        if let request { text += "; the request was \(request)" }
        if attempts.count > 1 { text += ", the last of \(attempts.count)" }
        return text
    }

    /// The description, followed by all attempts and the last request and response.
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
    /// The reason why a call produced no model.
    public enum Reason: Error, Equatable, Sendable {
        /// The endpoint's request is invalid.
        case noRequest(RequestError)
        /// No response arrived.
        case noResponse(ConnectionError)
        /// The response could not become a model.
        case noModel(TransformError)
        /// The task was cancelled.
        case cancelled
        /// The time was up before the request was sent.
        case noTime
    }
}

extension CallError.Reason: CustomStringConvertible {
    /// A sentence without full stop.
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

/// A request that was sent, and its output.
public struct Attempt: Sendable, CustomStringConvertible {
    /// The reason for sending a request.
    public enum Cause: String, Hashable, Sendable {
        /// It was the first request.
        case first
        /// The previous request failed.
        case retry
        /// The previous response was a redirect that is followed.
        case redirect
    }

    /// The reason for sending this request.
    public let cause: Cause
    /// The request as sent, after all interceptors.
    public let request: Request
    /// The output, after all interceptors.
    public let output: Output
    /// How long the client waited before the attempt.
    public let waited: Duration
    /// When the attempt started, counted from the start of the call.
    public let startedAfter: Duration
    /// How long the attempt took.
    public let took: Duration

    /// One line: when, why, the request and its output.
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
