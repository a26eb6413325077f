package import Barcodes

/// The product sources that a lookup queries one after another, within a time limit.
package struct CatalogSources: Sendable {
    /// The time limit of a lookup if `catalog.deadline` is not configured.
    package static let standardDeadline = Duration.milliseconds(1500)

    package let sources: [any ProductSource]
    package let deadline: Duration
    /// Starts a timer, and returns a function for reading the elapsed time.
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

    /// Looks up a barcode in one source after another until a source has the product.
    nonisolated(nonsending) package func lookup(_ barcode: Barcode) async -> LookupResult {
        var result = LookupResult(.skipped)
        // The timer starts only for a source without an immediate answer.
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
    /// The outcome of a lookup; the raw value is its name in events.
    package enum Status: String, CaseIterable, Hashable, Sendable {
        case found
        /// Every source answered, and none has the product.
        case notFound = "not-found"
        /// No source found the product, and at least one could not answer.
        case failed
        case timedOut = "timed-out"
        /// No source is configured, or none has a catalog yet.
        case skipped
    }

    package struct Failure: Hashable, Sendable {
        package var catalog: String
        package var failure: LookupFailure
    }

    package var status: Status
    package var match: Match?
    package var catalog: String?
    package var origin: LookupOrigin?
    package var attempts: Int
    /// The failures of sources that could not answer, or could only repeat an earlier answer.
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

    package var failure: Failure? { match == nil ? failures.first : nil }

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
            // After a failure, the result must not be `notFound`: the failed source may have the product.
            if failures.isEmpty || [.notFound, .skipped].contains(status) {
                status = found.code == .timedOut ? .timedOut : .failed
            }
        }
        if let failure { failures.append(Failure(catalog: source, failure: failure)) }
    }
}
