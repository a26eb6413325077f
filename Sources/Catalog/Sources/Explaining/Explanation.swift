/// How a lookup came to its result: every source in order, and what happened in each.
public struct Explanation: Sendable {
    /// One source.
    public struct Source: Sendable {
        /// The source's name.
        public var name: String
        /// What happened, in order; empty where the source was not asked.
        public var steps: [LookupStep]
        /// What it said; nil where an earlier source had the product, and this one was not asked.
        public var answer: LookupAnswer?
    }

    /// The text that was looked up.
    public var text: String
    /// The sources, in order.
    public var sources: [Source]
    /// What it came to.
    public var result: LookupResult
    /// How long it took.
    public var took: Duration
}
