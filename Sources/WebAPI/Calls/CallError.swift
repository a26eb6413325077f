import WireText

/// The error of a failed call, with the reason and every attempt.
///
/// Descriptions leave out secrets, such as the values of `Authorization`, `Cookie` and `X-API-Key`, even if the server
/// repeats them. ``reason`` and ``attempts`` contain the server's text unchanged; show users ``reasonText`` instead.
public struct CallError: Error, Sendable, Redacted, CustomDebugStringConvertible {
    /// The name of the endpoint that was called, such as `Shop.Stock`.
    public let endpoint: String
    /// Why the call failed; its description may contain secrets that the server sent back.
    public let reason: Reason
    /// The last request; nil if no request could be built.
    public let request: Request?
    /// All attempts, in the order in which they were sent; empty if nothing was sent.
    public let attempts: [Attempt]

    /// The response to the last attempt; nil if no complete response arrived.
    public var response: Response? { attempts.last?.output.response }

    /// Why no response arrived; nil if the call failed for another reason.
    public var connectionError: ConnectionError? {
        if case .noResponse(let error) = reason { error } else { nil }
    }

    /// Why the response could not be turned into a model; nil if the call failed for another reason.
    public var transformError: TransformError? {
        if case .noModel(let error) = reason { error } else { nil }
    }

    /// Why the call failed, as a message for users, without secrets and without a full stop.
    public var reasonText: String { redaction.applied(to: reason.description) }

    /// One line with the endpoint, the reason and the request.
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
    /// Why a call produced no model.
    public enum Reason: Error, Equatable, Sendable {
        case noRequest(RequestError)
        case noResponse(ConnectionError)
        case noModel(TransformError)
        case cancelled
        /// The call's time limit was reached before the request could be sent.
        case noTime
    }
}

extension CallError.Reason: CustomStringConvertible {
    /// The error message, without a full stop; it may contain secrets that the server sent back.
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

/// An attempt to send a request during a call, with the response or error.
public struct Attempt: Sendable, CustomStringConvertible {
    /// Why a request was sent.
    public enum Cause: String, Hashable, Sendable {
        case first
        case retry
        case redirect
    }

    /// Why the request was sent: as the call's first request, as a retry, or to follow a redirect.
    public let cause: Cause
    /// The request as sent, including all changes made by interceptors.
    public let request: Request
    /// The response or error, including all changes made by interceptors.
    public let output: Output
    /// How long the client waited before this retry; zero for other attempts.
    public let waited: Duration
    /// The time from the start of the call to the start of the attempt.
    public let startedAfter: Duration
    /// How long the attempt took, including the work of interceptors.
    public let took: Duration

    /// One line with the cause, start time, request, output and duration.
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
