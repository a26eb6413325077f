import Catalog
import Synchronization

extension DeclaredCatalog {
    /// The answer that is kept, where it is of use.
    func immediateAnswer(
        _ kept: CachedAnswer?, _ round: [CodeRules.Question]
    ) -> LookupAnswer? {
        guard let kept else { return nil }
        let now = context.clock.now()
        switch rules.action(for: kept, at: now) {
        case .ask: return nil
        case .use: return Self.answer(kept, origin: .cache(age: kept.age(at: now)))
        case .useAndAskAgain:
            askAgain(round, kept)
            return Self.answer(kept, origin: .stale(age: kept.age(at: now)))
        }
    }

    /// What is kept for a code, in memory or else in the file.
    func kept(_ texts: [String]) -> CachedAnswer? {
        let key = CacheKey(texts)
        if let kept = state.withLock({ $0.kept.value(key) }) { return kept }
        let now = context.clock.now()
        guard let kept = answers?.answer(for: texts, at: now), kept.isUsable(at: now) else {
            return nil
        }
        state.withLock { state in
            if state.kept.value(key) == nil { state.kept.set(key, kept) }
        }
        return kept
    }

    /// Keeps an answer, or forgets the one that was kept.
    func keep(_ answer: CachedAnswer?, for texts: [String]) {
        state.withLock { state in
            if let answer {
                state.kept.set(CacheKey(texts), answer)
            } else {
                state.kept.remove(CacheKey(texts))
            }
        }
    }

    /// Puts what is kept into the file as well; takes milliseconds, and nobody waits for it.
    func save(_ texts: [String]) {
        guard let answers else { return }
        let kept = state.withLock { $0.kept.value(CacheKey(texts)) }
        if let kept, kept.match != nil {
            answers.save(kept, for: texts, at: context.clock.now())
        } else {
            answers.remove(texts)
        }
    }

    /// What is kept for a code if it may stand in for a failure.
    func staleAnswer(
        _ round: [CodeRules.Question], for failure: LookupFailure, attempts: Int = 0
    ) -> LookupAnswer? {
        let now = context.clock.now()
        guard let kept = kept(round.texts), rules.mayServeStale(kept, for: failure, at: now) else {
            return nil
        }
        return Self.answer(
            kept, origin: .stale(age: kept.age(at: now)), attempts: attempts,
            originalFailure: failure)
    }

    static func answer(
        _ kept: CachedAnswer, origin: LookupOrigin, attempts: Int = 0,
        originalFailure: LookupFailure? = nil
    ) -> LookupAnswer {
        LookupAnswer(
            kept.match.map(LookupOutcome.found) ?? .notFound, origin: origin, attempts: attempts,
            originalFailure: originalFailure)
    }
}
