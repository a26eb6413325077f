package import Barcodes
package import Catalog
package import WebAPI

/// A catalog that is queried over HTTP, with a cache of its answers.
package final class DeclaredCatalog: Sendable {
    let declaration: HTTPCatalogDeclaration
    let builder: RequestBuilder
    /// The client, which sends requests without retries; each lookup adds its own retry policy.
    let client: APIClient
    let clock: CatalogClock
    let chance: @Sendable () -> Double
    let credentials: Credentials
    let tokens: TokenCache
    let gate: SourceGate
    let answers: CatalogAnswers
    let requests: SharedRequests<AnswerKey, LookupAnswer>

    /// Creates a catalog; without `file`, answers are cached in memory only.
    ///
    /// `clock` measures deadlines, waits and ages. `date` returns the current date, to compare with dates in answers
    /// and in the file. `chance` returns a random number in `0..<1` for the jitter before a retry.
    package init(
        _ declaration: HTTPCatalogDeclaration, transport: any Transport,
        secrets: SecretReader = SecretReader(), file: AnswerFile? = nil,
        userAgent: String = "keywedge", clock: some Clock<Duration> = ContinuousClock(),
        date: @escaping @Sendable () -> HTTPDate = { .now },
        chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.declaration = declaration
        self.chance = chance
        client = APIClient(
            transport: transport, redirects: declaration.redirects.policy,
            attemptLimit: declaration.resilience.attemptTimeout, clock: clock)
        self.clock = CatalogClock(clock, date: date)
        builder = RequestBuilder(declaration, userAgent: userAgent)
        let answers = CatalogAnswers(declaration.resilience.cache, file: file, clock: self.clock)
        let identity = declaration.identity
        credentials = Credentials(declaration.authentication, reader: secrets) { values in
            answers.owner(of: ([identity] + values).joined(separator: "\n"))
        }
        tokens = TokenCache(declaration, client: client, clock: self.clock, userAgent: userAgent)
        gate = SourceGate(declaration.resilience, now: self.clock.now())
        self.answers = answers
        requests = SharedRequests(clock: self.clock)
    }

    /// The current state, which tells whether a request could be sent now.
    package var currentState: SourceState { gate.current(at: clock.now()) }

    /// Why the secrets cannot be read; nil if they can be read now or were read before.
    package var secretTrouble: SecretError? {
        do throws(SecretError) {
            _ = try credentials.current()
            return nil
        } catch {
            return error
        }
    }
}

extension DeclaredCatalog: ProductSource {
    package var name: String { declaration.name }

    /// Returns an answer without waiting; nil if the catalog must be queried first.
    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? {
        var last = LookupAnswer(.notFound)
        for round in declaration.codes.readings(of: barcode).joined() {
            guard let kept = kept(for: round), let answer = immediateAnswer(kept, round) else {
                return nil
            }
            last = answer
            if case .found = answer.outcome { break }
        }
        return last
    }

    package func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        let deadline = clock.now() + limit
        return await answer(for: barcode) { round in
            let kept = kept(for: round)
            if let kept, let answer = immediateAnswer(kept, round) { return answer }
            return await shared(round, kept, until: deadline)
        }
    }

    /// Calls `asking` for each round in turn (see ``CodeRules/readings(of:)``) until a round finds a product or fails.
    ///
    /// If a round fails, a product cached for a later round of the same reading may be used: for a scale label, the
    /// one for its item number. Later readings are skipped, as the failed request might have found another product.
    func answer(
        for barcode: Barcode, asking: ([CodeRules.Question]) async -> LookupAnswer
    ) async -> LookupAnswer {
        var last = LookupAnswer(.notFound)
        var attempts = 0
        for rounds in declaration.codes.readings(of: barcode) {
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
