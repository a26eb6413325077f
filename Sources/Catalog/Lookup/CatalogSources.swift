package import Barcodes

/// The sources products are looked up in, in order.
///
/// The time of a lookup is shared: what one source takes, the next one does not have.
package struct CatalogSources: Sendable {
    /// How long a lookup may take unless a configuration says otherwise.
    package static let standardDeadline = Duration.milliseconds(1500)

    /// The sources, the first to ask first.
    package let sources: [any ProductSource]
    /// How long a lookup may take, all sources together.
    package let deadline: Duration
    /// Starts a measurement, and returns what reads it.
    package let timer: @Sendable () -> @Sendable () -> Duration

    package init(
        _ sources: [any ProductSource], deadline: Duration = standardDeadline,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.sources = sources
        self.deadline = deadline
        timer = {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }
    }

    /// Looks up the product a barcode names.
    nonisolated(nonsending) package func lookup(_ barcode: Barcode) async -> LookupResult {
        var progress = LookupProgress()
        var elapsed: (@Sendable () -> Duration)?
        for source in sources {
            let answer: LookupAnswer
            if let atHand = source.immediateAnswer(for: barcode) {
                answer = atHand
            } else {
                let passed = elapsed ?? timer()
                elapsed = passed
                answer = await source.lookup(barcode, within: deadline - passed())
            }
            if progress.take(answer, from: source.name) { break }
        }
        return progress.result
    }
}

/// The result of a lookup in all sources.
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
        package var failure: LookupFailure

        package init(catalog: String, failure: LookupFailure) {
            self.catalog = catalog
            self.failure = failure
        }
    }

    package var status: Status
    package var match: Match?
    /// The source that has the product.
    package var catalog: String?
    /// Where that source has the answer from.
    package var origin: LookupOrigin?
    /// How many requests were sent, to all sources together.
    package var attempts: Int
    /// The sources that could not answer, or could only with what they answered earlier.
    package var failures: [Failure]

    package init(
        _ status: Status, match: Match? = nil, catalog: String? = nil,
        origin: LookupOrigin? = nil, attempts: Int = 0, failures: [Failure] = []
    ) {
        (self.status, self.match, self.catalog) = (status, match, catalog)
        (self.origin, self.attempts, self.failures) = (origin, attempts, failures)
    }

    /// The result with the prices of a time.
    package func priced(at time: Int64) -> LookupResult {
        var result = self
        result.match = match?.priced(at: time)
        return result
    }

    /// The first source that could not answer, if no product was found.
    package var failure: Failure? { match == nil ? failures.first : nil }
}

/// A lookup on its way through the sources: the first that has the product wins.
package struct LookupProgress {
    /// The result so far.
    package private(set) var result = LookupResult(.skipped)

    package init() {}

    /// Records what a source answered, and returns whether it has the product.
    package mutating func take(_ answer: LookupAnswer, from source: String) -> Bool {
        result.attempts += answer.attempts
        if let originalFailure = answer.originalFailure { record(originalFailure, source) }
        switch answer.outcome {
        case .found(let match):
            (result.status, result.match) = (.found, match)
            (result.catalog, result.origin) = (source, answer.origin)
            return true
        case .notFound where result.status == .skipped: result.status = .notFound
        case .notFound, .skipped: break
        case .failed(let failure):
            // That the product is unknown would be a guess from here on.
            if result.failures.isEmpty || [.notFound, .skipped].contains(result.status) {
                result.status = failure.code == .timedOut ? .timedOut : .failed
            }
            record(failure, source)
        }
        return false
    }

    private mutating func record(_ failure: LookupFailure, _ source: String) {
        result.failures.append(LookupResult.Failure(catalog: source, failure: failure))
    }
}
