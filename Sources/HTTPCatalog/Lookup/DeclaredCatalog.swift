package import Barcodes
package import Catalog
import Synchronization
package import WebAPI

/// A catalog that is reached over HTTP, as a declaration says.
///
/// Lookups for the same code are joined, answers are kept, and a catalog that is slow, throttled or
/// broken is not waited for beyond the time a lookup has.
package final class DeclaredCatalog: Sendable {
    /// Who waits for a request.
    typealias Waiter = CheckedContinuation<LookupAnswer, Never>

    /// What the rules of the cache and of joining remember.
    struct State {
        var kept: LRUCache<CacheKey, CachedAnswer>
        var requests = RequestCoalescer<CacheKey, Waiter>()
        var waiterCount = 0
    }

    let context: RequestContext
    let rules: CacheRules
    let answers: CatalogAnswers?
    let state: Mutex<State>

    /// Makes a catalog.
    ///
    /// - Parameters:
    ///   - declaration: What there is to know about the catalog.
    ///   - transport: What carries the requests.
    ///   - secrets: Reads what authenticates them.
    ///   - cache: Keeps answers for the next start; nil to keep them in memory alone.
    ///   - userAgent: What the client calls itself.
    ///   - clock: What deadlines and waits are measured by.
    ///   - date: Tells the date, to compare with dates in answers.
    ///   - chance: A random number of at least 0 and below 1, for the jitter ahead of a retry.
    package init(
        _ declaration: HTTPCatalogDeclaration, transport: any Transport,
        secrets: SecretReader = SecretReader(), cache: AnswerCache? = nil,
        userAgent: String = "keywedge", clock: some Clock<Duration> = ContinuousClock(),
        date: @escaping @Sendable () -> HTTPDate = {
            HTTPDate(secondsSince1970: WallClock.secondsSince1970)
        },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        let client = APIClient(
            transport: transport, redirects: declaration.redirects.policy, clock: clock)
        let catalogClock = CatalogClock(clock, date: date)
        context = RequestContext(
            declaration: declaration,
            builder: RequestBuilder(declaration: declaration, userAgent: userAgent),
            client: client, clock: catalogClock, chance: chance,
            credentials: Credentials(declaration.authentication, reader: secrets),
            tokens: TokenCache(
                name: declaration.name, client: client, clock: catalogClock, userAgent: userAgent),
            gate: RequestContext.Gate(declaration.resilience, now: catalogClock.now()))
        rules = CacheRules(settings: declaration.resilience.cache)
        answers = cache.map { CatalogAnswers(of: declaration, in: $0) }
        state = Mutex(
            State(kept: LRUCache(capacity: declaration.resilience.cache.entries)))
    }
}

extension DeclaredCatalog: ProductSource {
    /// What the catalog is called.
    package var name: String { context.name }

    /// The answer that is kept, or that needs no asking; takes microseconds.
    ///
    /// Where what is kept should be asked for again, that happens once the lookup is answered.
    ///
    /// - Parameter barcode: The decoded scan.
    /// - Returns: The answer; nil where the catalog must be asked.
    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? {
        var last = LookupAnswer(.notFound)
        for round in context.declaration.codes.readings(of: barcode).joined() {
            guard let answer = immediateAnswer(kept(round.texts), round) else { return nil }
            last = answer
            if case .found = answer.outcome { break }
        }
        return last
    }

    /// Looks up the product a barcode names.
    ///
    /// - Parameters:
    ///   - barcode: The decoded scan.
    ///   - limit: How long it may take.
    /// - Returns: What was found, by then.
    package func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        let deadline = context.clock.now() + limit
        return await answer(for: barcode) { round in
            let kept = kept(round.texts)
            if let answer = immediateAnswer(kept, round) { return answer }
            return await join(round, kept, deadline: deadline)
        }
    }

    /// Asks one round after the other until something is found.
    ///
    /// After a failure nothing more is asked. What was kept of a later round of the same reading is
    /// still used, such as the item of a scale's label. That of another reading is not: the catalog may
    /// have another product under the likelier one.
    func answer(
        for barcode: Barcode, asking: ([CodeRules.Question]) async -> LookupAnswer
    ) async -> LookupAnswer {
        var last = LookupAnswer(.notFound)
        var attempts = 0
        for rounds in context.declaration.codes.readings(of: barcode) {
            for round in rounds {
                if case .failed(let failure) = last.outcome {
                    if let stale = staleAnswer(round, for: failure), case .found = stale.outcome {
                        last = stale
                    }
                } else {
                    last = await asking(round)
                    attempts += last.attempts
                }
                if case .found = last.outcome { break }
            }
            guard case .notFound = last.outcome else { break }
        }
        last.attempts = attempts
        return last
    }
}
