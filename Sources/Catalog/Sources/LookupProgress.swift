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
        if let setback = answer.setback { note(setback, source) }
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
