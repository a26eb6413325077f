import Catalog
import WireText

extension DeclaredCatalog {
    /// A cached answer for a round, and its owner.
    typealias Kept = (owner: String, answer: CachedAnswer)

    /// The key of a round; without readable secrets it matches no cached answer.
    private func key(of round: [CodeRules.Question]) -> AnswerKey {
        let owner = (try? context.credentials.current())?.owner ?? ""
        return AnswerKey(owner: owner, texts: round.map(\.text))
    }

    /// The cached answer for a round, if it belongs to the current credentials.
    func kept(for round: [CodeRules.Question]) -> Kept? {
        let key = key(of: round)
        return answers.answer(for: key).map { (key.owner, $0) }
    }

    /// The answer that is kept, if it can be used; asks for it again if that is due.
    func immediateAnswer(_ kept: Kept, _ round: [CodeRules.Question]) -> LookupAnswer? {
        let now = context.clock.now()
        let age = kept.answer.age(at: now)
        switch answers.rules.action(for: kept.answer, at: now) {
        case .ask: return nil
        case .use: return LookupAnswer(kept.answer, origin: .cache(age: age))
        case .useAndAskAgain:
            let end = now + context.declaration.resilience.backgroundLimit
            requests.start(key(of: round), ending: end) { [self] in
                await ask(round, kept, deadline: end)
            }
            return LookupAnswer(kept.answer, origin: .stale(age: age))
        }
    }

    /// Waits for the request for a round, which is sent unless it is under way.
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

    /// Asks for a code in one form after the other, and keeps the answer.
    ///
    /// The answer is kept, also on the disk, before it leaves: a process that ends afterwards has it.
    func ask(
        _ round: [CodeRules.Question], _ kept: Kept?, deadline: MonotonicTime, trace: Trace? = nil
    ) async -> LookupAnswer {
        var requests = LookupRequests(context, deadline: deadline, trace: trace)
        var missing: [LookupRequests.Answered] = []
        for question in round {
            let answered = await requests.ask(question, kept: kept)
            let keep = { (answer: CachedAnswer, confirmed: Bool) in
                self.keep(answer, round, answered.owner, confirmed: confirmed, trace)
                return LookupAnswer(answer, origin: .network, attempts: requests.attempts)
            }
            switch answered.meaning {
            case .found(let products):
                if let match = Match(products, question.key) {
                    return keep(new(match, answered.directives, question.text), false)
                }
                missing.append(answered)
            case .unchanged:
                guard let kept else { break }
                return keep(new(kept.answer, confirmedBy: answered.directives), true)
            case .notFound:
                // A code that cannot be asked for has no owner.
                if answered.owner != nil { missing.append(answered) }
            case .captured: break
            case .failed(let failure):
                return failed(failure, kept, answered.owner, attempts: requests.attempts, trace)
            }
        }
        // The first to become old decides about all of them.
        let answer = missing.map { new(nil, $0.directives, "") }
            .min { answers.rules.times(of: $0).fresh < answers.rules.times(of: $1).fresh }
        if let answer { keep(answer, round, missing.last?.owner, confirmed: false, trace) }
        return LookupAnswer(.notFound, origin: .network, attempts: requests.attempts)
    }

    private func new(
        _ match: Match?, _ directives: CacheDirectives, _ asked: String
    ) -> CachedAnswer {
        CachedAnswer(match: match, at: context.clock.now(), directives: directives, asked: asked)
    }

    /// A kept answer that the catalog confirmed.
    private func new(
        _ kept: CachedAnswer, confirmedBy directives: CacheDirectives
    ) -> CachedAnswer {
        new(kept.match, kept.directives.updated(by: directives), kept.asked)
    }

    private func keep(
        _ answer: CachedAnswer, _ round: [CodeRules.Question], _ owner: String?, confirmed: Bool,
        _ trace: Trace?
    ) {
        guard let owner else { return }
        answers.keep(answer, for: AnswerKey(owner: owner, texts: round.map(\.text)))
        trace.note("cache", answers.rules.words(keeping: answer, confirmed: confirmed))
    }

    private func failed(
        _ failure: LookupFailure, _ kept: Kept?, _ owner: String?, attempts: Int, _ trace: Trace?
    ) -> LookupAnswer {
        // The credentials may have been replaced meanwhile by those of another shop.
        let own = owner == nil || owner == kept?.owner ? kept : nil
        guard let own, let stale = staleAnswer(own, for: failure, attempts: attempts) else {
            trace.note("cache", "not kept: it is a failure")
            return LookupAnswer(.failed(failure), attempts: attempts)
        }
        trace.note(
            "cache",
            "what was kept \(own.answer.age(at: context.clock.now()).text) ago stands in")
        return stale
    }

    /// The cached answer, if it may replace a failure.
    func staleAnswer(
        _ kept: Kept?, for failure: LookupFailure, attempts: Int = 0
    ) -> LookupAnswer? {
        let now = context.clock.now()
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
    /// The match of products with a code; nil if a single one was wanted.
    fileprivate init?(_ products: [Product], _ key: LookupKey) {
        guard let first = products.first else { return nil }
        if case .unique = key, products.count > 1 { return nil }
        self.init(
            key: key.gtin == nil ? .text : .gtin, product: first,
            others: Array(products.dropFirst()))
    }
}
