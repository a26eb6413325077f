import HTTPService
import HTTPTypes

extension ProblemDetails {
    /// The catalog has no such product.
    static let noSuchProduct = ProblemDetails(
        status: .notFound, code: "no-such-product",
        detail: "The catalog has no product with this code.")

    /// The feed has no such file.
    static let noSuchFile = ProblemDetails(
        status: .notFound, code: "no-such-file", detail: "The feed has no file of this name.")

    /// What is there can only be read.
    static let methodNotAllowed = ProblemDetails(
        status: .methodNotAllowed, code: "method-not-allowed",
        detail: "The catalog can only be read here; expected GET or HEAD.",
        allowed: "GET, HEAD")

    /// The request was meant for somebody else.
    static let wrongHost = ProblemDetails(
        status: .misdirectedRequest, code: "wrong-host",
        detail: "Without a token this is for programs on this box; expected localhost or a "
            + "loopback address as the host.")

    /// Too many wait for pages already.
    static let busy = ProblemDetails(
        status: .serviceUnavailable, code: "busy",
        detail: "Too many requests for pages or searches are waiting; expected another try later.")

    /// The catalog's file cannot be read; why is for the log.
    static let unavailable = ProblemDetails(
        status: .serviceUnavailable, code: "catalog-unavailable",
        detail: "The catalog cannot be read at the moment; the service's log says why.")

    /// The folder of the feed cannot be read; why is for the log.
    static let feedUnavailable = ProblemDetails(
        status: .serviceUnavailable, code: "feed-unavailable",
        detail: "The feed cannot be read at the moment; the service's log says why.")
}
