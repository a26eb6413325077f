import Barcodes
import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WebAPI
import WireText

/// A code the catalog should have, and what came of asking for it.
struct KnownTrial: Sendable {
    /// The code.
    let known: EndpointCodes.Known
    /// What came of it.
    let trial: EndpointTrial
}

/// One code, asked of a catalog as a configuration says, without a second attempt or a cache.
struct EndpointTrial: Sendable {
    /// What was found.
    let answer: LookupAnswer
    /// What happened, in order.
    let steps: [LookupStep]
    /// The texts that were asked, in order.
    let asked: [String]

    /// Asks.
    ///
    /// - Parameters:
    ///   - code: The code.
    ///   - catalog: The configuration.
    ///   - opening: Makes the catalog.
    ///   - timeout: How long each request may take.
    ///   - clock: What tells how long it took.
    /// - Throws: ``CatalogOpeningError``.
    init(
        _ code: Barcode, in catalog: HTTPCatalogConfiguration, _ opening: CatalogFactory,
        timeout: Duration, clock: some Clock<Duration>
    ) async throws {
        var hasty = catalog
        hasty.declaration.resilience.attemptTimeout = timeout
        hasty.declaration.resilience.connectTimeout = timeout
        hasty.declaration.resilience.attempts = 1
        hasty.declaration.resilience.quota = nil
        let opened = try opening.open(hasty, clock: clock)
        let trace = Trace()
        answer = await opened.explain(code, within: timeout * 4, trace: trace)
        steps = trace.steps
        asked = catalog.declaration.codes.texts(of: code)
    }

    /// Why there is no answer; nil where there is one.
    var failure: LookupFailure? {
        if case .failed(let failure) = answer.outcome { failure } else { nil }
    }

    /// The product that was found.
    var match: Match? {
        if case .found(let match) = answer.outcome { match } else { nil }
    }

    /// The last request and what came back.
    var exchange: Exchange? {
        steps.reversed().lazy.compactMap { step in
            if case .exchange(let exchange) = step { exchange } else { nil }
        }.first
    }

    /// The last response.
    var response: Response? { exchange?.output.response }

    /// The last response as JSON.
    var document: JSONValue? { response.flatMap { try? $0.jsonContent() } }

    /// What was read of the last answer, place by place.
    var places: [TriedPlace] {
        let start = steps.lastIndex { if case .exchange = $0 { true } else { false } }
        return steps[(start ?? steps.startIndex)...].compactMap { step in
            if case .place(let place) = step { place } else { nil }
        }
    }

    /// How long the longest request took.
    var took: Duration {
        steps.compactMap { step in
            if case .exchange(let exchange) = step { exchange.took } else { nil }
        }.max() ?? .zero
    }
}
