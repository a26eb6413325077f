import Catalog
import WireText

extension DeclaredCatalog {
    /// Asks for a code in one form after the other, and keeps what comes of it.
    func ask(
        _ round: [CodeRules.Question], _ kept: CachedAnswer?, deadline: MonotonicTime,
        observe: LookupStep.Observer?
    ) async -> LookupAnswer {
        let texts = round.texts
        var requests = LookupRequests(context, deadline: deadline, observe: observe)
        var directives = CacheDirectives()
        for question in round {
            let answered = await requests.ask(question, validator: kept?.validator)
            switch answered.meaning {
            case .found(let products):
                guard let match = Self.match(products, question.key) else { break }
                let new = rules.kept(
                    match, answered.directives, asked: question.text, at: context.clock.now())
                keep(new, for: texts)
                observe?(.note("cache", CacheRules.words(new: new)))
                return LookupAnswer(
                    .found(match), origin: .network, attempts: requests.attempts)
            case .unchanged:
                guard let kept else { break }
                let new = rules.renewed(kept, answered.directives, at: context.clock.now())
                keep(new, for: texts)
                observe?(.note("cache", CacheRules.words(renewed: new)))
                return Self.answer(kept, origin: .network, attempts: requests.attempts)
            case .notFound:
                directives.noStore = directives.noStore || answered.directives.noStore
            case .captured: break
            case .failed(let failure):
                return failed(failure, kept, attempts: requests.attempts, observe)
            }
        }
        let new = rules.kept(nil, directives, asked: "", at: context.clock.now())
        keep(new, for: texts)
        observe?(.note("cache", CacheRules.words(new: new)))
        return LookupAnswer(.notFound, origin: .network, attempts: requests.attempts)
    }

    private func failed(
        _ failure: LookupFailure, _ kept: CachedAnswer?, attempts: Int,
        _ observe: LookupStep.Observer?
    ) -> LookupAnswer {
        let now = context.clock.now()
        guard let kept, rules.mayServeStale(kept, for: failure, at: now) else {
            observe?(.note("cache", "not kept: it is a failure"))
            return LookupAnswer(.failed(failure), attempts: attempts)
        }
        observe?(.note("cache", "what was kept \(kept.age(at: now).text) ago stands in"))
        return Self.answer(
            kept, origin: .stale(age: kept.age(at: now)), attempts: attempts,
            originalFailure: failure)
    }

    private static func match(_ products: [Product], _ key: LookupKey) -> Match? {
        guard let first = products.first else { return nil }
        if case .unique = key, products.count > 1 { return nil }
        return Match(
            key: key.gtin == nil ? .text : .gtin, product: first,
            others: Array(products.dropFirst()))
    }
}
