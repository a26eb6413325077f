package import HTTPTypes
package import WireText

/// Why a request got no other answer.
///
/// It is written as JSON by RFC 9457, without a type of its own (section 4.2.1): the title is that of
/// the status, and `code` says to a program what `detail` says to a person.
package struct ProblemDetails: Error, Equatable {
    package let status: HTTPResponse.Status
    /// What it is, in small letters and hyphens.
    package let code: String
    /// What is wrong, in one sentence; quoted texts are escaped.
    package let detail: String
    /// The methods there are, where another was asked for.
    package let allowed: String?
    /// What is wrong, a line each, where one sentence does not say it.
    package let problems: [String]

    package init(
        status: HTTPResponse.Status, code: String, detail: String, allowed: String? = nil,
        problems: [String] = []
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.allowed = allowed
        self.problems = problems
    }

    /// The problem as a JSON object.
    package var json: JSONValue {
        var object: JSONObject = [
            "title": .string(status.reasonPhrase), "status": .integer(Int64(status.code)),
            "code": .string(code), "detail": .string(detail),
        ]
        if !problems.isEmpty {
            object.appendNew("problems", .array(problems.map(JSONValue.string)))
        }
        return .object(object)
    }
}

extension ProblemDetails {
    /// There is nothing of that name.
    package static let noSuchPath = ProblemDetails(
        status: .notFound, code: "no-such-path",
        detail: "There is nothing under this path; /openapi.json tells what there is.")

    /// Who asks has not said who it is.
    package static let noToken = ProblemDetails(
        status: .unauthorized, code: "no-token",
        detail: "This needs a token; expected a header Authorization: Bearer and the token.")

    /// Who asks has said something wrong.
    package static let wrongToken = ProblemDetails(
        status: .unauthorized, code: "wrong-token", detail: "The token is not the one expected.")

    /// The request names no host, or several.
    ///
    /// Rule: RFC 9112, section 3.2.
    package static func notOneHost(_ count: Int) -> ProblemDetails {
        ProblemDetails(
            status: .badRequest, code: "not-one-host",
            detail: "The request has \(count.counted("header field")) Host; expected one.")
    }

    /// What is percent-encoded is no text.
    package static func undecodable(_ part: String) -> ProblemDetails {
        ProblemDetails(
            status: .badRequest, code: "undecodable",
            detail: "The \(part) is not percent-encoded UTF-8.")
    }

    /// There is no such parameter.
    package static func unknownParameter(_ name: String, known: [String]) -> ProblemDetails {
        ProblemDetails(
            status: .badRequest, code: "unknown-parameter",
            detail: "There is no parameter \(name.quoted(upTo: 60)) here; expected "
                + (known.isEmpty ? "none" : "any of " + known.joined(separator: ", ")) + ".")
    }

    /// A parameter is needed.
    package static func missingParameter(_ name: String) -> ProblemDetails {
        ProblemDetails(
            status: .badRequest, code: "missing-parameter",
            detail: "The parameter \(name) is missing.")
    }

    /// A parameter is not what it should be.
    package static func parameter(_ name: String, expected: String, found: String) -> ProblemDetails
    {
        ProblemDetails(
            status: .badRequest, code: "invalid-parameter",
            detail: "The parameter \(name) is wrong: expected \(expected), got \(found).")
    }

    /// A parameter is not what it should be.
    package static func parameter(_ name: String, expected: String, quoting text: String)
        -> ProblemDetails
    {
        parameter(name, expected: expected, found: text.quoted(upTo: 60))
    }
}
