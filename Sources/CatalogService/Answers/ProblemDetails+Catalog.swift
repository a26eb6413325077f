import HTTPService
import HTTPTypes

extension ProblemDetails {
    /// The catalog has no such product.
    static let noSuchProduct = ProblemDetails(
        status: .notFound, code: "no-such-product",
        detail: "The catalog has no product with this code.")

    /// The token is that of another shop.
    static let otherScope = ProblemDetails(
        status: .forbidden, code: "other-scope",
        detail: "This token is for another shop; expected the own one's name as \"scope\", or none."
    )

    /// What a shop has is not there as a file.
    static let noScopedSnapshot = ProblemDetails(
        status: .notFound, code: "no-scoped-snapshot",
        detail: "Only the whole catalog is there as a file; what a shop has, page by page.")

    /// What is there can only be read.
    static let methodNotAllowed = ProblemDetails(
        status: .methodNotAllowed, code: "method-not-allowed",
        detail: "The catalog can only be read here; expected GET or HEAD.",
        allowed: "GET, HEAD")

    /// The revision asked for is none the catalog knows.
    static func unknownRevision(now: String) -> ProblemDetails {
        ProblemDetails(
            status: .gone, code: "unknown-revision",
            detail: "The changes since this revision are not known; expected a request for "
                + "everything, without \"since\". The catalog is at \(now) now.")
    }

    /// The request was meant for somebody else.
    static let wrongHost = ProblemDetails(
        status: .misdirectedRequest, code: "wrong-host",
        detail: "Without a token this is for programs on this box; expected localhost or a "
            + "loopback address as the host.")

    /// Too many wait for pages already.
    static let busy = ProblemDetails(
        status: .serviceUnavailable, code: "busy",
        detail: "Too many requests for pages or searches are waiting; expected another try later.")

    /// No file can be made of the catalog; why is for the log.
    static let noSnapshot = ProblemDetails(
        status: .serviceUnavailable, code: "no-snapshot",
        detail: "The catalog cannot be given as a file, but page by page; the service's log says "
            + "why.")

    /// The catalog's file cannot be read; why is for the log.
    static let unavailable = ProblemDetails(
        status: .serviceUnavailable, code: "catalog-unavailable",
        detail: "The catalog cannot be read at the moment; the service's log says why.")
}
