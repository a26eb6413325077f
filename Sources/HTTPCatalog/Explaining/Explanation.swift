package import Catalog

/// How a lookup came to its result: every source in order, and what happened in each.
package struct Explanation: Sendable {
    /// One source.
    package struct Source: Sendable {
        /// The source's name.
        package var name: String
        /// What happened, in order; empty where the source was not asked.
        package var steps: [LookupStep]
        /// What it said; nil where an earlier source had the product, and this one was not asked.
        package var answer: LookupAnswer?
    }

    /// The text that was looked up.
    package var text: String
    /// The sources, in order.
    package var sources: [Source]
    /// What it came to.
    package var result: LookupResult
    /// How long it took.
    package var took: Duration
}

extension Explanation {
    /// The explanation, with the prices of a time in what was found.
    ///
    /// - Parameter time: Microseconds since 1970.
    /// - Returns: The explanation; what a service was asked and answered stays as it was.
    package func priced(at time: Int64) -> Explanation {
        var explanation = self
        for index in sources.indices {
            guard case .found(let match) = sources[index].answer?.outcome else { continue }
            explanation.sources[index].answer?.outcome = .found(match.priced(at: time))
        }
        explanation.result = result.priced(at: time)
        return explanation
    }
}
