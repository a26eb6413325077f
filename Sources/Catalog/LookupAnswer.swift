/// What one source says about a code, and where it has it from.
package struct LookupAnswer: Hashable, Sendable {
    /// What was found.
    package var outcome: LookupOutcome
    /// Where the answer comes from; nil where the source knows without looking that it has no such
    /// code, and where it failed.
    package var origin: LookupOrigin?
    /// How many requests were sent for it.
    package var attempts: Int
    /// Why the catalog could not be asked, where an answer of an earlier time stands in.
    package var setback: LookupFailure?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - outcome: What was found.
    ///   - origin: Where the answer comes from.
    ///   - attempts: How many requests were sent for it.
    ///   - setback: Why the catalog could not be asked, where an earlier answer stands in.
    package init(
        _ outcome: LookupOutcome, origin: LookupOrigin? = nil, attempts: Int = 0,
        setback: LookupFailure? = nil
    ) {
        self.outcome = outcome
        self.origin = origin
        self.attempts = attempts
        self.setback = setback
    }
}
