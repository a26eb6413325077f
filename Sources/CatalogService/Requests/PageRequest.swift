import Catalog
import HTTPService
import WireText

/// Which products a request for a page asks for.
struct PageRequest: Equatable {
    let search: ProductSearch
    let after: Int64?
    let limit: Int
    private let words: String?

    /// Reads the parameters.
    init(_ query: Substring?) throws(ProblemDetails) {
        let parameters = try Parameters(query, names: ["search", "after", "limit"])
        words = try parameters.text("search", limit: ServiceLimits.searchLength)
        search = ProductSearch(words ?? "")
        after = try parameters.integer("after", 0...ServiceLimits.largestNumber)
        limit =
            try parameters.integer("limit", 1...ServiceLimits.largestPage)
            ?? ServiceLimits.standardPage
    }

    /// The `Link` to the next page.
    ///
    /// Rule: RFC 8288, section 3.
    func link(after number: Int64) -> String {
        let words = words.map { "&search=" + PercentEncoding.encoded($0) } ?? ""
        return "<?after=\(number)&limit=\(limit)\(words)>; rel=\"next\""
    }
}
