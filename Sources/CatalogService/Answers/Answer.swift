import HTTPTypes
import WireText

/// What is sent back for a request.
struct Answer: Equatable {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    /// The content; nil where the status allows none.
    var body: [UInt8]?

    /// Answers with JSON.
    ///
    /// - Parameters:
    ///   - body: The JSON text.
    ///   - tag: What tells this content from others; nil where it is not to be kept.
    ///   - caching: How long it may be kept.
    init(json body: [UInt8], tag: EntityTag, caching: Caching) {
        status = .ok
        fields = [
            .contentType: "application/json", .cacheControl: caching.rawValue, .eTag: "\(tag)",
        ]
        self.body = body
    }

    /// Answers that what the client has still holds.
    init(unchanged tag: EntityTag, caching: Caching) {
        status = .notModified
        fields = [.cacheControl: caching.rawValue, .eTag: "\(tag)"]
        body = nil
    }

    /// Answers with a problem.
    init(_ problem: Problem) {
        status = problem.status
        var body: [UInt8] = []
        JSONWriter.append(problem.json, to: &body)
        fields = [.contentType: "application/problem+json", .cacheControl: Caching.never.rawValue]
        self.body = body
        switch problem.status {
        case .unauthorized:
            let error = problem == .wrongToken ? ", error=\"invalid_token\"" : ""
            fields[.wwwAuthenticate] = "Bearer realm=\"keywedge catalog\"" + error
        case .methodNotAllowed: fields[.allow] = "GET, HEAD"
        case .serviceUnavailable: fields[.retryAfter] = "1"
        default: break
        }
    }

    /// Sets a header field that HTTPTypes has no name for.
    mutating func set(_ name: String, _ value: String) {
        if let name = HTTPField.Name(name) { fields[name] = value }
    }
}

/// How long an answer may be kept.
///
/// Rule: RFC 9111, section 5.2.2.
enum Caching: String {
    /// A register may go on with what it has for a moment: an import is not seen earlier.
    case moment = "private, max-age=10"
    /// It may be kept, but must be asked for whether it still holds.
    case asking = "private, no-cache"
    /// It may not be kept.
    case never = "no-store"
}
