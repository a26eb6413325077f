package import Barcodes

/// The sources in which products are looked up, in order; they share one time limit.
package struct CatalogSources: Sendable {
    /// The time limit of a lookup unless the configuration sets another.
    package static let standardDeadline = Duration.milliseconds(1500)

    package let sources: [any ProductSource]
    /// The time limit of a lookup, for all sources together.
    package let deadline: Duration
    /// Starts a timer, and returns a function that reads it.
    package let timer: @Sendable () -> @Sendable () -> Duration

    package init(
        _ sources: [any ProductSource], deadline: Duration = standardDeadline,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        (self.sources, self.deadline) = (sources, deadline)
        timer = {
            let start = clock.now
            return { start.duration(to: clock.now) }
        }
    }

    /// Looks up the product a barcode names; the first source that has it wins.
    nonisolated(nonsending) package func lookup(_ barcode: Barcode) async -> LookupResult {
        var result = LookupResult(.skipped)
        // Immediate answers need no time.
        lazy var passed = timer()
        for source in sources {
            let atHand = source.immediateAnswer(for: barcode)
            let answer =
                if let atHand { atHand } else {
                    await source.lookup(barcode, within: deadline - passed())
                }
            result.add(answer, from: source.name)
            if result.match != nil { break }
        }
        return result
    }
}

package struct LookupResult: Hashable, Sendable {
    /// The outcome, as named in events.
    package enum Status: String, CaseIterable, Hashable, Sendable {
        case found
        /// Every source answered, and none has the product.
        case notFound = "not-found"
        /// No source has the product, and at least one could not answer.
        case failed
        case timedOut = "timed-out"
        /// There is no source to ask.
        case skipped
    }

    package struct Failure: Hashable, Sendable {
        package var catalog: String
        package var failure: LookupFailure
    }

    package var status: Status
    package var match: Match?
    /// The source that has the product, and where its answer comes from.
    package var catalog: String?
    package var origin: LookupOrigin?
    /// The number of requests sent to all sources together.
    package var attempts: Int
    /// The sources that could not answer, or only with an earlier answer.
    package var failures: [Failure] = []

    package init(
        _ status: Status, match: Match? = nil, catalog: String? = nil,
        origin: LookupOrigin? = nil, attempts: Int = 0
    ) {
        (self.status, self.match, self.catalog) = (status, match, catalog)
        (self.origin, self.attempts) = (origin, attempts)
    }

    package func priced(at time: Int64) -> LookupResult {
        var result = self
        result.match = match?.priced(at: time)
        return result
    }

    /// The first source that could not answer, if no product was found.
    package var failure: Failure? { match == nil ? failures.first : nil }

    /// Adds the next source's answer.
    package mutating func add(_ answer: LookupAnswer, from source: String) {
        attempts += answer.attempts
        var failure = answer.originalFailure
        switch answer.outcome {
        case .found(let found):
            (status, match, catalog, origin) = (.found, found, source, answer.origin)
        case .notFound where status == .skipped: status = .notFound
        case .notFound, .skipped: break
        case .failed(let found):
            failure = found
            // From here on we cannot know that no source has the product.
            if failures.isEmpty || [.notFound, .skipped].contains(status) {
                status = found.code == .timedOut ? .timedOut : .failed
            }
        }
        if let failure { failures.append(Failure(catalog: source, failure: failure)) }
    }
}
