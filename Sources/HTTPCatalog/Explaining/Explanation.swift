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
