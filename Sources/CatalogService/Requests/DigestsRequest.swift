import Catalog
import HTTPService

/// Which digests a request asks for.
struct DigestsRequest: Equatable {
    let range: IDRange
    /// How many products a range has.
    let size: Int
    let limit: Int
    /// The shop whose products they are of; nil for all.
    var scope: CatalogScope?

    init(range: IDRange, size: Int, limit: Int, scope: CatalogScope? = nil) {
        self.range = range
        self.size = size
        self.limit = limit
        self.scope = scope
    }

    /// Reads the parameters.
    init(_ query: Substring?) throws(ProblemDetails) {
        let parameters = try Parameters(
            query, names: ["from", "before", "size", "limit", Parameters.scope])
        scope = try parameters.scope()
        let from = try parameters.text("from", limit: ServiceLimits.idLength)
        let before = try parameters.text("before", limit: ServiceLimits.idLength)
        range = IDRange(from: from, before: before)
        size =
            try parameters.integer("size", 1...ServiceLimits.standardRange)
            ?? ServiceLimits.standardRange
        limit =
            try parameters.integer("limit", 1...ServiceLimits.ranges) ?? ServiceLimits.standardPage
    }
}
