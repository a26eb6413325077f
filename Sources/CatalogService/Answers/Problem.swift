import HTTPTypes
import WireText

/// Why a request got no other answer.
///
/// It is written as JSON by RFC 9457, without a type of its own (section 4.2.1): the title is that of
/// the status, and `code` says to a program what `detail` says to a person.
struct Problem: Error, Equatable {
    let status: HTTPResponse.Status
    /// What it is, in small letters and hyphens.
    let code: String
    /// What is wrong, in one sentence; quoted texts are escaped.
    let detail: String

    /// The problem as a JSON object.
    var json: JSONValue {
        [
            "title": .string(status.reasonPhrase), "status": .integer(Int64(status.code)),
            "code": .string(code), "detail": .string(detail),
        ]
    }
}

extension Problem {
    /// There is nothing of that name.
    static let noSuchPath = Problem(
        status: .notFound, code: "no-such-path",
        detail: "There is nothing under this path; /openapi.json tells what there is.")

    /// The catalog has no such product.
    static let noSuchProduct = Problem(
        status: .notFound, code: "no-such-product",
        detail: "The catalog has no product with this code.")

    /// What is there can only be read.
    static let methodNotAllowed = Problem(
        status: .methodNotAllowed, code: "method-not-allowed",
        detail: "The catalog can only be read here; expected GET or HEAD.")

    /// The revision asked for is none the catalog knows.
    static func unknownRevision(now: String) -> Problem {
        Problem(
            status: .gone, code: "unknown-revision",
            detail: "The changes since this revision are not known; expected a request for "
                + "everything, without \"since\". The catalog is at \(now) now.")
    }

    /// Who asks has not said who it is.
    static let noToken = Problem(
        status: .unauthorized, code: "no-token",
        detail: "This needs a token; expected a header Authorization: Bearer and the token.")

    /// Who asks has said something wrong.
    static let wrongToken = Problem(
        status: .unauthorized, code: "wrong-token", detail: "The token is not the one expected.")

    /// The request was meant for somebody else.
    static let wrongHost = Problem(
        status: .misdirectedRequest, code: "wrong-host",
        detail: "Without a token this is for programs on this box; expected localhost or a "
            + "loopback address as the host.")

    /// The request names no host, or several.
    ///
    /// Rule: RFC 9112, section 3.2.
    static func notOneHost(_ count: Int) -> Problem {
        Problem(
            status: .badRequest, code: "not-one-host",
            detail: "The request has \(count.counted("header field")) Host; expected one.")
    }

    /// Too many wait for pages already.
    static let busy = Problem(
        status: .serviceUnavailable, code: "busy",
        detail: "Too many requests for pages or searches are waiting; expected another try later.")

    /// The catalog's file cannot be read; why is for the log.
    static let unavailable = Problem(
        status: .serviceUnavailable, code: "catalog-unavailable",
        detail: "The catalog cannot be read at the moment; the service's log says why.")

    /// What is percent-encoded is no text.
    static func undecodable(_ part: String) -> Problem {
        Problem(
            status: .badRequest, code: "undecodable",
            detail: "The \(part) is not percent-encoded UTF-8.")
    }

    /// There is no such parameter.
    static func unknownParameter(_ name: String, known: [String]) -> Problem {
        Problem(
            status: .badRequest, code: "unknown-parameter",
            detail: "There is no parameter \(name.quoted(upTo: 60)) here; expected "
                + (known.isEmpty ? "none" : "any of " + known.joined(separator: ", ")) + ".")
    }

    /// A parameter is needed.
    static func missingParameter(_ name: String) -> Problem {
        Problem(
            status: .badRequest, code: "missing-parameter",
            detail: "The parameter \(name) is missing.")
    }

    /// A parameter is not what it should be.
    static func parameter(_ name: String, expected: String, found: String) -> Problem {
        Problem(
            status: .badRequest, code: "invalid-parameter",
            detail: "The parameter \(name) is wrong: expected \(expected), got \(found).")
    }

    /// A parameter is not what it should be.
    static func parameter(_ name: String, expected: String, quoting text: String) -> Problem {
        parameter(name, expected: expected, found: text.quoted(upTo: 60))
    }
}
