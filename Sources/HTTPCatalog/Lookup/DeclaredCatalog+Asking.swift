import Barcodes
import Catalog
import WireText

extension DeclaredCatalog {
    /// Asks for a code in one form after the other, and keeps what comes of it.
    func ask(
        _ texts: [String], _ barcode: Barcode, _ kept: CachedAnswer?, deadline: MonotonicTime,
        observe: LookupStep.Observer?
    ) async -> LookupAnswer {
        var requests = LookupRequests(
            context, barcode: barcode, deadline: deadline, observe: observe)
        var directives = CacheDirectives()
        for text in texts {
            let answered = await requests.ask(text, validator: kept?.validator)
            switch answered.meaning {
            case .found(let products):
                guard let match = Self.match(products, asked: text, barcode) else { break }
                let new = rules.kept(
                    match, answered.directives, asked: text, at: context.clock.now())
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

    private static func match(
        _ products: [Product], asked: String, _ barcode: Barcode
    ) -> Match? {
        guard let first = products.first else { return nil }
        let isText = asked.utf8.elementsEqual(barcode.text.utf8) && barcode.lookupGTIN == nil
        return Match(
            key: isText ? .text : .gtin, product: first,
            others: Array(products.dropFirst()))
    }
}
