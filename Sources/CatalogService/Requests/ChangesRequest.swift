import Catalog
import HTTPService

/// Which changes a request asks for.
struct ChangesRequest: Hashable {
    let since: ChangeCursor?
    let limit: Int
    /// The shop whose changes they are; nil for all.
    var scope: CatalogScope?

    /// Reads the parameters.
    init(_ query: Substring?) throws(ProblemDetails) {
        let parameters = try Parameters(query, names: ["since", "limit", Parameters.scope])
        limit =
            try parameters.integer("limit", 1...ServiceLimits.largestPage)
            ?? ServiceLimits.standardPage
        scope = try parameters.scope()
        guard let text = try parameters.text("since", limit: ServiceLimits.cursorLength) else {
            since = nil
            return
        }
        guard let cursor = ChangeCursor(text) else {
            throw .parameter(
                "since", expected: "a revision or the next place of a page before",
                quoting: text)
        }
        since = cursor
    }

    /// The `Link` to the next page.
    ///
    /// Rule: RFC 8288, section 3.
    func link(since cursor: ChangeCursor) -> String {
        "<?since=\(cursor)&limit=\(limit)\(CatalogScope.suffix(scope))>; rel=\"next\""
    }
}
