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
    /// Begins to measure; what it gives tells how long ago that was.
    package let timer: @Sendable () -> @Sendable () -> Duration

    /// Puts sources in order.
    ///
    /// - Parameters:
    ///   - sources: The sources, the first to ask first.
    ///   - deadline: How long a lookup may take, all sources together.
    ///   - clock: What that is measured by.
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
    ///
    /// - Parameter barcode: The decoded scan.
    /// - Returns: What was found, by the deadline.
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

/// A lookup on its way through the sources: the first that has the product wins.
package struct LookupProgress {
    /// What it has come to so far.
    package private(set) var result: LookupResult

    /// Nothing asked yet.
    package init() {
        result = LookupResult(.skipped)
    }

    /// Takes what a source answered.
    ///
    /// - Parameters:
    ///   - answer: What it answered.
    ///   - source: What it is called.
    /// - Returns: Whether the lookup is over.
    package mutating func take(_ answer: LookupAnswer, from source: String) -> Bool {
        result.attempts += answer.attempts
        if let originalFailure = answer.originalFailure { note(originalFailure, source) }
        switch answer.outcome {
        case .found(let match):
            result.status = .found
            result.match = match
            result.catalog = source
            result.origin = answer.origin
            return true
        case .notFound:
            if result.status == .skipped { result.status = .notFound }
            return false
        case .skipped: return false
        case .failed(let failure):
            // That the product is unknown would be a guess from here on.
            if result.failures.isEmpty || [.notFound, .skipped].contains(result.status) {
                result.status = failure.code == .timedOut ? .timedOut : .failed
            }
            note(failure, source)
            return false
        }
    }

    private mutating func note(_ failure: LookupFailure, _ source: String) {
        result.failures.append(LookupResult.Failure(catalog: source, failure: failure))
    }
}
