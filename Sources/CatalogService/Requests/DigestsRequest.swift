import Catalog
import HTTPService

/// Which digests a request asks for.
struct DigestsRequest: Equatable {
    let range: IDRange
    /// How many products a range has.
    let size: Int
    let limit: Int

    init(range: IDRange, size: Int, limit: Int) {
        self.range = range
        self.size = size
        self.limit = limit
    }

    /// Reads the parameters.
    init(_ query: Substring?) throws(ProblemDetails) {
        let parameters = try Parameters(query, names: ["from", "before", "size", "limit"])
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
