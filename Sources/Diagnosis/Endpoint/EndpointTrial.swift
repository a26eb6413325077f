import Barcodes
import Catalog
import HTTPCatalog
import KeywedgeConfiguration
import WebAPI
import WireText

/// The result of one lookup of a code, which used neither retries nor the cache.
struct EndpointTrial: Sendable {
    let wanted: EndpointCodes.Known
    let answer: LookupAnswer
    let steps: [LookupStep]
    /// The forms of the code to request, in the order in which the lookup tries them.
    let asked: [String]

    init(
        _ code: EndpointCodes.Known, _ barcode: Barcode, in catalog: HTTPCatalogConfiguration,
        _ opening: CatalogFactory, timeout: Duration, clock: some Clock<Duration>
    ) async throws {
        var hasty = catalog
        hasty.declaration.resilience.attemptTimeout = timeout
        hasty.declaration.resilience.connectTimeout = timeout
        hasty.declaration.resilience.attempts = 1
        hasty.declaration.resilience.quota = nil
        let opened = try opening.open(hasty, clock: clock)
        let trace = Trace()
        wanted = code
        answer = await opened.explain(barcode, within: timeout * 4, trace: trace)
        steps = trace.steps
        asked = catalog.declaration.codes.texts(of: barcode)
    }

    var failure: LookupFailure? {
        if case .failed(let failure) = answer.outcome { failure } else { nil }
    }

    var match: Match? {
        if case .found(let match) = answer.outcome { match } else { nil }
    }

    private var exchanges: [Exchange] {
        steps.compactMap { if case .exchange(let exchange) = $0 { exchange } else { nil } }
    }

    var exchange: Exchange? { exchanges.last }

    var document: JSONValue? { exchange?.output.response.flatMap { try? $0.jsonContent() } }

    /// The places where fields were looked up in the last answer, each with the field's name and the result.
    var places: [TriedPlace] {
        let start = steps.lastIndex { if case .exchange = $0 { true } else { false } }
        return steps[(start ?? steps.startIndex)...].compactMap { step in
            if case .place(let place) = step { place } else { nil }
        }
    }

    var took: Duration { exchanges.map(\.took).max() ?? .zero }

    func meets(_ rule: AnswerRule) -> Bool {
        exchange?.status.map { rule.holds(status: $0, document: document) } ?? false
    }
}

package struct EndpointCodes: Equatable, Sendable {
    package struct Known: Equatable, Sendable {
        package var code: String
        package var price: String?
        /// Whether the code is a guess; the check does not fail if a guessed code is not found.
        package var isGuess: Bool

        package init(_ code: String, price: String? = nil, isGuess: Bool = false) {
            self.code = code
            self.price = price
            self.isGuess = isGuess
        }
    }

    package var known: [Known]
    /// A code that the catalog should not find; nil to let the check choose one.
    package var unknown: String?

    package init(known: [Known] = [], unknown: String? = nil) {
        self.known = known
        self.unknown = unknown
    }

    /// Example codes from the documentation of public catalogs; the keys are the catalogs' names.
    package static let documented = [
        "gs1-resolver": "09506000134352", "openfoodfacts": "3017620422003",
        "upcitemdb": "885909456017",
    ]

    /// Codes that no product has; the check uses the first one that the catalog accepts.
    ///
    /// GS1 reserves the prefix 952 for demonstrations; the other numbers are the last ones in their number ranges.
    /// `keywedge-no-such-code` is for catalogs that do not accept numbers.
    static let unused = ["9529999999993", "0099999999990", "99999995", "keywedge-no-such-code"]
}

extension EndpointCodes.Known {
    /// Parses a code with an optional price after the last equals sign, such as `4006381333931=3.49`.
    ///
    /// In a URL, which may itself be a scanned code, an equals sign does not start a price.
    package init(reading text: String) {
        self.init(text)
        guard !text.hasPrefix("http://"), !text.hasPrefix("https://"),
            let sign = text.lastIndex(of: "="), sign != text.startIndex
        else { return }
        let price = String(text[text.index(after: sign)...])
        guard let euro = Currency("EUR"), Self.price(price, in: euro) != nil else { return }
        (code, self.price) = (String(text[..<sign]), price)
    }

    /// Parses a price, such as `3.49 EUR` or, in the default `currency`, `3.49`; nil for other text.
    static func price(_ text: String, in currency: Currency) -> Price? {
        (try? Price(amount: text, currency: currency))
            ?? (try? Price(reading: text, fallback: currency))
    }
}
