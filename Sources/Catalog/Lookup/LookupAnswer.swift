package import Barcodes
package import WireText

/// A source of products: the embedded catalog, or one reached over a network.
package protocol ProductSource: Sendable {
    /// The source's name in events and messages, for instance `embedded`.
    var name: String { get }

    /// Returns the answer if it is available without waiting; nil if ``lookup(_:within:)`` must be called.
    func immediateAnswer(for barcode: Barcode) -> LookupAnswer?

    /// Looks up the product for a barcode; if the source cannot answer within the limit, the answer says why.
    func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer
}

extension ProductSource {
    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? { nil }

    package func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer {
        immediateAnswer(for: barcode) ?? LookupAnswer(.skipped)
    }
}

package struct LookupAnswer: Hashable, Sendable {
    package var outcome: LookupOutcome
    /// The origin of the answer; nil if the source failed or has no catalog.
    package var origin: LookupOrigin?
    /// The number of requests that the source sent to obtain the answer.
    package var attempts: Int
    /// The failure that made the source repeat an earlier answer; nil if there was none.
    package var originalFailure: LookupFailure?

    package init(
        _ outcome: LookupOutcome, origin: LookupOrigin? = nil, attempts: Int = 0,
        originalFailure: LookupFailure? = nil
    ) {
        (self.outcome, self.origin) = (outcome, origin)
        (self.attempts, self.originalFailure) = (attempts, originalFailure)
    }
}

extension LookupAnswer {
    /// The answer of a catalog that cannot be opened or read.
    package static func unusable(_ error: any Error) -> Self {
        Self(.failed(LookupFailure(.unusableCatalog, "\(words: "\(error)")")))
    }
}

package enum LookupOutcome: Hashable, Sendable {
    case found(Match)
    /// The catalog answered, but does not have the product.
    case notFound
    /// The source has no catalog yet.
    case skipped
    case failed(LookupFailure)
}

package enum LookupOrigin: Hashable, Sendable {
    /// The catalog on this box (`embedded`), or a new answer from a catalog on the network (`network`).
    case embedded, network
    /// An earlier answer that is still valid.
    case cache(age: Duration)
    /// An earlier answer that is no longer valid, used because a new query failed.
    case stale(age: Duration)

    /// The origin's name in events.
    package var name: String {
        switch self {
        case .embedded: "embedded"
        case .network: "network"
        case .cache: "cache"
        case .stale: "stale"
        }
    }

    /// How long ago the catalog answered; nil for a new answer.
    package var age: Duration? {
        switch self {
        case .embedded, .network: nil
        case .cache(let age), .stale(let age): age
        }
    }
}

package struct LookupFailure: Error, Hashable, Sendable {
    /// The kind of failure, as named in events.
    package enum Code: String, CaseIterable, Hashable, Sendable {
        case timedOut = "timed-out"
        /// The name of the catalog's host has no address, or the host refuses the connection.
        case unreachable
        case tls = "tls-failed"
        /// The connection broke before the answer was complete, or the answer is not HTTP.
        case brokenConnection = "broken-connection"
        /// The catalog rejects our credentials or denies us access: status 401 or 403.
        case unauthorized
        case throttled
        /// The catalog reports an internal failure: status 500 to 599.
        case serverError = "server-error"
        /// An HTTP status that no other case covers.
        case unexpectedStatus = "unexpected-status"
        /// The answer is not JSON in the expected form.
        case unreadableAnswer = "unreadable-answer"
        case answerTooLong = "answer-too-long"
        /// The catalog reports a failure in the body of its answer.
        case reportedError = "reported-error"
        /// The answer is JSON without a usable product.
        case unusableProduct = "unusable-product"
        case otherProduct = "other-product"
        /// The catalog failed too often, so we do not query it for a while.
        case suspended
        /// Our quota of requests to the catalog is used up.
        case quotaUsedUp = "quota-used-up"
        case unreadableSecret = "unreadable-secret"
        /// The catalog's declaration does not produce a valid request.
        case invalidRequest = "invalid-request"
        case unusableCatalog = "unusable-catalog"
        case cancelled
    }

    package var code: Code
    /// The cause in one sentence; texts quoted in it are not escaped yet.
    package var reason: Phrase
    /// How long the catalog asks us to wait before the next request; nil if it does not ask.
    package var retryAfter: Duration?

    package init(_ code: Code, _ reason: Phrase, retryAfter: Duration? = nil) {
        (self.code, self.reason, self.retryAfter) = (code, reason, retryAfter)
    }
}

/// The product that a lookup found, and other products with the same code.
package struct Match: Hashable, Sendable {
    package enum Key: String, Hashable, Sendable {
        /// The product was found by its GTIN, in any spelling.
        case gtin
        /// The product was found by the text of one of its codes.
        case text
    }

    package static let candidateLimit = 16

    package var key: Key
    /// The products with the code that was looked up: at least one, at most `candidateLimit`.
    package private(set) var candidates: [Product]

    package init(key: Key, product: Product, others: [Product] = []) {
        self.key = key
        candidates = [product] + others
    }

    /// The product that was found; of several in the embedded catalog, the one whose id comes first (byte order).
    package var product: Product { candidates[0] }

    package var isAmbiguous: Bool { candidates.count > 1 }

    package func priced(at time: Int64) -> Match {
        var match = self
        match.candidates = candidates.map { $0.priced(at: time) }
        return match
    }
}
