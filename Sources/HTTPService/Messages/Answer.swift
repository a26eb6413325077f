package import HTTPTypes
import WireText

/// What is sent back for a request.
package struct Answer: Equatable {
    package var status: HTTPResponse.Status
    package var fields: HTTPFields
    /// The content; nil where the status allows none.
    package var body: [UInt8]?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - fields: The header fields.
    ///   - body: The content; nil where the status allows none.
    package init(_ status: HTTPResponse.Status, fields: HTTPFields, body: [UInt8]?) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Answers with a problem.
    ///
    /// - Parameters:
    ///   - problem: The problem.
    ///   - challenge: What a client without a token is told: `Bearer` and what the token is for.
    package init(_ problem: ProblemDetails, challenge: String) {
        status = problem.status
        var body: [UInt8] = []
        JSONWriter.append(problem.json, to: &body)
        fields = [.contentType: "application/problem+json", .cacheControl: Caching.never.rawValue]
        self.body = body
        switch problem.status {
        case .unauthorized:
            let error = problem == .wrongToken ? ", error=\"invalid_token\"" : ""
            fields[.wwwAuthenticate] = challenge + error
        case .methodNotAllowed: fields[.allow] = problem.allowed
        case .serviceUnavailable: fields[.retryAfter] = "1"
        default: break
        }
    }

    /// The header of the answer: what is said to be JSON shall not be taken for a page by a browser that
    /// looks inside.
    package var head: HTTPResponse {
        var fields = fields
        fields[.xContentTypeOptions] = "nosniff"
        if let body { fields[.contentLength] = "\(body.count)" }
        return HTTPResponse(status: status, headerFields: fields)
    }

    /// Sets a header field that HTTPTypes has no name for.
    package mutating func set(_ name: String, _ value: String) {
        if let name = HTTPField.Name(name) { fields[name] = value }
    }
}

/// How long an answer may be kept.
///
/// Rule: RFC 9111, section 5.2.2.
package struct Caching: Equatable {
    /// The value of `Cache-Control`.
    package let rawValue: String

    /// The client may use it for so many seconds without asking.
    package static func seconds(_ count: Int64) -> Caching {
        Caching(rawValue: "private, max-age=\(count)")
    }

    /// The client may keep it, and asks each time whether it has changed.
    package static let asking = Caching(rawValue: "private, no-cache")
    /// The client may not keep it.
    package static let never = Caching(rawValue: "no-store")
}
