package import Barcodes
package import Catalog
package import WebAPI

/// A catalog that is reached over HTTP, as a declaration says.
///
/// Lookups for the same code share a request, answers are kept, and no lookup waits for a slow,
/// throttled or broken catalog longer than it may.
package final class DeclaredCatalog: Sendable {
    let context: RequestContext
    let answers: CatalogAnswers
    let requests: SharedRequests<AnswerKey, LookupAnswer>

    /// Makes a catalog; without a file, it keeps answers in memory only.
    ///
    /// `clock` measures deadlines, waits and ages; `date` is held against dates in answers and in the
    /// file; `chance`, at least 0 and below 1, is the jitter before a retry.
    package init(
        _ declaration: HTTPCatalogDeclaration, transport: any Transport,
        secrets: SecretReader = SecretReader(), file: AnswerFile? = nil,
        userAgent: String = "keywedge", clock: some Clock<Duration> = ContinuousClock(),
        date: @escaping @Sendable () -> HTTPDate = { .now },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        let client = APIClient(
            transport: transport, redirects: declaration.redirects.policy, clock: clock)
        let clock = CatalogClock(clock, date: date)
        let answers = CatalogAnswers(declaration.resilience.cache, file: file, clock: clock)
        let identity = declaration.identity
        let credentials = Credentials(declaration.authentication, reader: secrets) { values in
            answers.owner(of: ([identity] + values).joined(separator: "\n"))
        }
        context = RequestContext(
            declaration: declaration,
            builder: RequestBuilder(declaration, userAgent: userAgent),
            client: client, clock: clock, chance: chance, credentials: credentials,
            tokens: TokenCache(
                name: declaration.name, client: client, clock: clock, userAgent: userAgent,
                limit: declaration.resilience.attemptTimeout),
            gate: SourceGate(declaration.resilience, now: clock.now()))
        self.answers = answers
        requests = SharedRequests(clock: clock)
    }

    /// Whether the catalog is asked at the moment; looking changes nothing.
    package var currentState: SourceState { context.gate.current(at: context.clock.now()) }
}

extension DeclaredCatalog: ProductSource {
    package var name: String { context.name }

    /// The answer that is kept, or that needs no request; nil if the catalog must be asked.
    ///
    /// If what is kept should be asked for again, that happens after the lookup.
    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? {
        var last = LookupAnswer(.notFound)
        for round in context.declaration.codes.readings(of: barcode).joined() {
            guard let kept = kept(for: round), let answer = immediateAnswer(kept, round) else {
                return nil
            }
            last = answer
            if case .found = answer.outcome { break }
        }
        return last
    }

    /// Looks up the product a barcode names; the answer comes within the limit.
    package func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        let deadline = context.clock.now() + limit
        return await answer(for: barcode) { round in
            let kept = kept(for: round)
            if let kept, let answer = immediateAnswer(kept, round) { return answer }
            return await shared(round, kept, until: deadline)
        }
    }

    /// Asks one round after the other until something is found.
    ///
    /// After a failure nothing more is asked. A kept answer of a later round of the same reading is
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
                    if let stale = staleAnswer(kept(for: round), for: failure),
                        case .found = stale.outcome
                    {
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
