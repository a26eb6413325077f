/// A lookup on its way through the sources: the first that has the product wins.
struct LookupProgress {
    private(set) var result: LookupResult

    init() {
        result = LookupResult(.skipped)
    }

    /// Takes what a source answered.
    ///
    /// - Returns: Whether the lookup is over.
    mutating func take(_ answer: LookupAnswer, from source: String) -> Bool {
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
