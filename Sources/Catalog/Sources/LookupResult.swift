/// What looking a code up in all sources came to.
package struct LookupResult: Hashable, Sendable {
    /// How it ended, as events name it.
    package enum Status: String, CaseIterable, Hashable, Sendable {
        /// A source has the product.
        case found
        /// Every source answered, and none has the product.
        case notFound = "not-found"
        /// No source has the product, and at least one could not answer.
        case failed
        /// No source has the product, and at least one did not answer in time.
        case timedOut = "timed-out"
        /// There is no source to ask.
        case skipped
    }

    /// A source that could not answer.
    package struct Failure: Hashable, Sendable {
        /// The source's name.
        package var catalog: String
        /// Why it could not.
        package var failure: LookupFailure

        /// Makes a failure.
        ///
        /// - Parameters:
        ///   - catalog: The source's name.
        ///   - failure: Why it could not.
        package init(catalog: String, failure: LookupFailure) {
            self.catalog = catalog
            self.failure = failure
        }
    }

    /// How it ended.
    package var status: Status
    /// What was found.
    package var match: Match?
    /// The source that has the product.
    package var catalog: String?
    /// Where that source has the answer from.
    package var origin: LookupOrigin?
    /// How many requests were sent, to all sources together.
    package var attempts: Int
    /// The sources that could not answer, or could only with what they answered earlier.
    package var failures: [Failure]

    /// Makes a result.
    ///
    /// - Parameters:
    ///   - status: How it ended.
    ///   - match: What was found.
    ///   - catalog: The source that has the product.
    ///   - origin: Where that source has the answer from.
    ///   - attempts: How many requests were sent.
    ///   - failures: The sources that could not answer.
    package init(
        _ status: Status, match: Match? = nil, catalog: String? = nil,
        origin: LookupOrigin? = nil, attempts: Int = 0, failures: [Failure] = []
    ) {
        self.status = status
        self.match = match
        self.catalog = catalog
        self.origin = origin
        self.attempts = attempts
        self.failures = failures
    }

    /// What it came to, with the prices of a time.
    ///
    /// - Parameter time: Microseconds since 1970.
    /// - Returns: The result.
    package func priced(at time: Int64) -> LookupResult {
        var result = self
        result.match = match?.priced(at: time)
        return result
    }

    /// Why no product was found, where a source could not answer: the first one's reason.
    package var failure: Failure? { match == nil ? failures.first : nil }
}
