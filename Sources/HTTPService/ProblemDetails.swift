package import HTTPTypes
package import HummingbirdCore
import NIOCore
package import WireText

/// Why a request was refused or could not be answered.
///
/// The JSON follows RFC 9457, without `type` (section 4.2.1). Its `title` is the status's reason phrase. Programs
/// should read `code`; people should read `detail`.
package struct ProblemDetails: Error, Equatable {
    package let status: HTTPResponse.Status
    /// The kind of problem, in lower-case letters and hyphens, such as `no-such-path`.
    package let code: String
    /// The problem as a sentence; text quoted from the request is escaped.
    package let detail: String
    /// The value of the `Allow` header if the request's method is not allowed; nil otherwise.
    package let allowed: String?
    /// The separate problems, if `detail` is not enough to describe them; empty otherwise.
    package let problems: [String]

    package init(
        _ status: HTTPResponse.Status, _ code: String, _ detail: String, allowed: String? = nil,
        problems: [String] = []
    ) {
        (self.status, self.code, self.detail) = (status, code, detail)
        (self.allowed, self.problems) = (allowed, problems)
    }

    package var json: JSONValue {
        var object: JSONObject = [
            "title": .string(status.reasonPhrase), "status": .integer(Int64(status.code)),
            "code": .string(code), "detail": .string(detail),
        ]
        if !problems.isEmpty { object.append("problems", .array(problems.map(JSONValue.string))) }
        return .object(object)
    }
}

extension ProblemDetails {
    package static let noSuchPath = ProblemDetails(
        .notFound, "no-such-path",
        "There is nothing under this path; /openapi.json lists all paths.")

    package static let noToken = ProblemDetails(
        .unauthorized, "no-token",
        "This needs a token; expected a header Authorization: Bearer and the token.")

    package static let wrongToken = ProblemDetails(
        .unauthorized, "wrong-token", "The token is not the one expected.")

    /// Returns the problem for a missing or repeated `Host` field (RFC 9112, section 3.2).
    package static func notOneHost(_ count: Int) -> Self {
        Self(
            .badRequest, "not-one-host",
            "The request has \(count.counted("header field")) Host; expected one.")
    }

    package static func undecodable(_ part: String) -> Self {
        Self(.badRequest, "undecodable", "The \(part) is not percent-encoded UTF-8.")
    }

    package static func unknownParameter(_ name: String, known: [String]) -> Self {
        Self(
            .badRequest, "unknown-parameter",
            "There is no parameter \(name.quoted(upTo: 60)) here; expected "
                + (known.isEmpty ? "none" : "any of " + known.joined(separator: ", ")) + ".")
    }

    package static func missingParameter(_ name: String) -> Self {
        Self(.badRequest, "missing-parameter", "The parameter \(name) is missing.")
    }

    package static func parameter(_ name: String, expected: String, found: String) -> Self {
        Self(
            .badRequest, "invalid-parameter",
            "The parameter \(name) is wrong: expected \(expected), got \(found).")
    }

    package static func parameter(_ name: String, expected: String, quoting text: String) -> Self {
        parameter(name, expected: expected, found: text.quoted(upTo: 60))
    }
}

/// The value of `Cache-Control`: how long a client may cache an answer.
///
/// Rule: RFC 9111, section 5.2.2.
package struct Caching: Equatable {
    package let rawValue: String

    /// Returns directives that let a client reuse the answer for this many seconds.
    package static func seconds(_ count: Int64) -> Self {
        Self(rawValue: "private, max-age=\(count)")
    }
    /// The client may store the response, but must check with the service for changes before each reuse.
    package static let asking = Self(rawValue: "private, no-cache")
    package static let never = Self(rawValue: "no-store")
}

extension Response {
    /// Creates an answer with this media type, caching rule and content.
    package init(_ mediaType: String, _ caching: Caching, _ body: [UInt8]) {
        self.init(
            status: .ok,
            headers: [
                .contentType: mediaType, .cacheControl: caching.rawValue,
                .xContentTypeOptions: "nosniff",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }

    package init(json: JSONValue, _ caching: Caching) {
        var text: [UInt8] = []
        JSONWriter.append(json, to: &text)
        self.init("application/json", caching, text)
    }

    /// Creates an answer from a problem; `challenge` is the value of `WWW-Authenticate` for status 401.
    package init(_ problem: ProblemDetails, challenge: String) {
        self.init(json: problem.json, .never)
        status = problem.status
        headers[.contentType] = "application/problem+json"
        switch problem.status {
        case .unauthorized:
            let error = problem == .wrongToken ? ", error=\"invalid_token\"" : ""
            headers[.wwwAuthenticate] = challenge + error
        case .methodNotAllowed: headers[.allow] = problem.allowed
        case .serviceUnavailable: headers[.retryAfter] = "1"
        default: break
        }
    }

    /// Returns the answer without the parts that HTTP forbids for the request or the status.
    ///
    /// An answer to a `HEAD` request has no content. An answer with status 204 or 304 has neither content nor
    /// `Content-Length`.
    package func fitting(_ request: Request) -> Response {
        let hasNone = [.noContent, .notModified].contains(status)
        guard hasNone || request.method == .head else { return self }
        var answer = Response(status: status, headers: headers)
        answer.headers[.contentLength] = hasNone ? nil : headers[.contentLength]
        return answer
    }

    /// Sets a header field for which HTTPTypes has no constant; ignores an invalid name.
    package mutating func set(_ name: String, _ value: String) {
        if let name = HTTPField.Name(name) { headers[name] = value }
    }
}

extension Request {
    /// Whether the path has no empty segment or final slash (the router ignores both); true for `/`.
    package var hasPlainPath: Bool {
        let path = uri.path.utf8
        let hasEmpty = zip(path, path.dropFirst()).contains { $0 == 0x2F && $1 == 0x2F }
        return !hasEmpty && (path.last != 0x2F || path.count == 1)
    }

    /// The values of all `Host` fields; HTTPTypes stores the first one as the request's authority.
    package var hosts: [String] {
        let others = HTTPField.Name("Host").map { headers[values: $0] } ?? []
        return [head.authority].compactMap(\.self) + others
    }
}
