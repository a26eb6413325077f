import Catalog
import WireText

extension DeclaredCatalog {
    typealias Kept = (owner: String, answer: CachedAnswer)

    /// Returns the cache key for the answer to these questions, which are asked one after another.
    private func key(of round: [CodeRules.Question]) -> AnswerKey {
        AnswerKey(owner: (try? credentials.current())?.owner ?? "", texts: round.map(\.text))
    }

    func kept(for round: [CodeRules.Question]) -> Kept? {
        let key = key(of: round)
        return answers.answer(for: key).map { (key.owner, $0) }
    }

    /// Returns the cached answer, or nil if the catalog must be queried first.
    ///
    /// A stale answer that may still be used is also refreshed in the background.
    func immediateAnswer(_ kept: Kept, _ round: [CodeRules.Question]) -> LookupAnswer? {
        let now = clock.now()
        let age = kept.answer.age(at: now)
        switch answers.rules.action(for: kept.answer, at: now) {
        case .ask: return nil
        case .use: return LookupAnswer(kept.answer, origin: .cache(age: age))
        case .useAndAskAgain:
            let end = now + declaration.resilience.backgroundLimit
            requests.start(key(of: round), ending: end) { [self] in
                await ask(round, kept, deadline: end)
            }
            return LookupAnswer(kept.answer, origin: .stale(age: age))
        }
    }

    /// Asks the catalog, waiting at most until the deadline; concurrent lookups share requests.
    func shared(
        _ round: [CodeRules.Question], _ kept: Kept?, until deadline: MonotonicTime
    ) async -> LookupAnswer {
        let answer = await requests.answer(for: key(of: round), until: deadline) { [self] in
            await ask(round, kept, deadline: deadline)
        }
        if let answer { return answer }
        if Task.isCancelled { return LookupAnswer(.failed(.givenUp)) }
        let failure = LookupFailure(.timedOut, "The catalog \(name) did not answer in time.")
        return staleAnswer(self.kept(for: round), for: failure, attempts: 1)
            ?? LookupAnswer(.failed(failure), attempts: 1)
    }

    /// Sends one question after another to the catalog, until one finds a product or fails.
    ///
    /// The answer is cached if it comes from the catalog, is not a failure, and the ``CacheRules`` allow it.
    func ask(
        _ round: [CodeRules.Question], _ kept: Kept?, deadline: MonotonicTime, trace: Trace? = nil
    ) async -> LookupAnswer {
        var requests = LookupRequests(self, deadline: deadline, trace: trace)
        var missing: [CachedAnswer] = []
        var owner: String?
        func keep(_ answer: CachedAnswer, confirmed: Bool = false) -> LookupAnswer {
            if let owner {
                answers.keep(answer, for: AnswerKey(owner: owner, texts: round.map(\.text)))
                trace.note("cache", answers.rules.words(keeping: answer, confirmed: confirmed))
            }
            return LookupAnswer(answer, origin: .network, attempts: requests.attempts)
        }
        for question in round {
            let answered = await requests.ask(question, kept: kept)
            // If no request could be sent, the answer has no owner.
            owner = answered.owner ?? owner
            var new = CachedAnswer(
                match: nil, at: clock.now(), directives: answered.directives, asked: "")
            switch answered.meaning {
            case .found(let products):
                guard let match = Match(products, question.key) else {
                    missing.append(new)
                    continue
                }
                (new.match, new.asked) = (match, question.text)
                return keep(new)
            case .unchanged:
                guard let kept = kept?.answer else { break }
                (new.match, new.asked) = (kept.match, kept.asked)
                new.directives = kept.directives.updated(by: new.directives)
                return keep(new, confirmed: true)
            case .notFound where answered.owner != nil: missing.append(new)
            case .notFound, .captured: break
            case .failed(let failure):
                // The credentials were replaced in the meantime, and may belong to another shop.
                let isOthers = answered.owner != nil && answered.owner != kept?.owner
                return failed(failure, isOthers ? nil : kept, attempts: requests.attempts, trace)
            }
        }
        // The answer that becomes stale first determines the lifetime for the whole round.
        let first = missing.min {
            answers.rules.times(of: $0).fresh < answers.rules.times(of: $1).fresh
        }
        return first.map { keep($0) }
            ?? LookupAnswer(.notFound, origin: .network, attempts: requests.attempts)
    }

    private func failed(
        _ failure: LookupFailure, _ kept: Kept?, attempts: Int, _ trace: Trace?
    ) -> LookupAnswer {
        guard let kept, let stale = staleAnswer(kept, for: failure, attempts: attempts) else {
            trace.note("cache", "not kept: it is a failure")
            return LookupAnswer(.failed(failure), attempts: attempts)
        }
        trace.note("cache", "used what was kept \(kept.answer.age(at: clock.now()).text) ago")
        return stale
    }

    /// Returns the cached answer, marked as stale; nil if it must not replace this failure.
    func staleAnswer(
        _ kept: Kept?, for failure: LookupFailure, attempts: Int = 0
    ) -> LookupAnswer? {
        let now = clock.now()
        guard let kept, answers.rules.mayServeStale(kept.answer, for: failure, at: now) else {
            return nil
        }
        return LookupAnswer(
            kept.answer, origin: .stale(age: kept.answer.age(at: now)), attempts: attempts,
            originalFailure: failure)
    }
}

extension LookupAnswer {
    fileprivate init(
        _ kept: CachedAnswer, origin: LookupOrigin, attempts: Int = 0,
        originalFailure: LookupFailure? = nil
    ) {
        self.init(
            kept.match.map(LookupOutcome.found) ?? .notFound, origin: origin, attempts: attempts,
            originalFailure: originalFailure)
    }
}

extension Match {
    /// Creates a match; nil if there is no product, or several for a ``LookupKey/unique(_:)`` key.
    fileprivate init?(_ products: [Product], _ key: LookupKey) {
        guard let first = products.first else { return nil }
        if case .unique = key, products.count > 1 { return nil }
        self.init(
            key: key.gtin == nil ? .text : .gtin, product: first,
            others: Array(products.dropFirst()))
    }
}
