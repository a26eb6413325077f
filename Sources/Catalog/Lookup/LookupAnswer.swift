package import Barcodes
package import WireText

/// A source of products: the embedded catalog, or a catalog on the network.
package protocol ProductSource: Sendable {
    var name: String { get }

    /// Returns an answer if one is available without waiting; otherwise nil.
    func immediateAnswer(for barcode: Barcode) -> LookupAnswer?

    /// Looks up a barcode. If the source cannot answer within the limit, the answer contains the reason.
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
    /// Where the answer comes from; nil if the source failed or has no catalog.
    package var origin: LookupOrigin?
    package var attempts: Int
    /// The failure that made the source return an earlier answer; nil if there was none.
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
    package static func unusable(_ error: any Error) -> Self {
        Self(.failed(LookupFailure(.unusableCatalog, "\(words: "\(error)")")))
    }
}

package enum LookupOutcome: Hashable, Sendable {
    case found(Match)
    case notFound
    /// The source has no catalog yet.
    case skipped
    case failed(LookupFailure)
}

package enum LookupOrigin: Hashable, Sendable {
    /// A new answer, from the embedded catalog or from a catalog on the network.
    case embedded, network
    /// An earlier answer that is still fresh.
    case cache(age: Duration)
    /// An earlier answer that is no longer fresh.
    case stale(age: Duration)

    package var name: String {
        switch self {
        case .embedded: "embedded"
        case .network: "network"
        case .cache: "cache"
        case .stale: "stale"
        }
    }

    /// How long ago the catalog gave the answer; nil for a new answer.
    package var age: Duration? {
        switch self {
        case .embedded, .network: nil
        case .cache(let age), .stale(let age): age
        }
    }
}

package struct LookupFailure: Error, Hashable, Sendable {
    /// The kind of failure; the raw value is its name in events.
    package enum Code: String, CaseIterable, Hashable, Sendable {
        case timedOut = "timed-out"
        /// The host is unknown, cannot be reached, or refuses the connection.
        case unreachable
        case tls = "tls-failed"
        /// The connection broke before the answer was complete, or the answer is not HTTP.
        case brokenConnection = "broken-connection"
        /// The catalog rejects the credentials, denies access, or refuses to issue a token.
        case unauthorized
        case throttled
        /// The catalog answered with a status from 500 to 599.
        case serverError = "server-error"
        case unexpectedStatus = "unexpected-status"
        /// The answer is not JSON, or the answer to a token request contains no token.
        case unreadableAnswer = "unreadable-answer"
        case answerTooLong = "answer-too-long"
        /// The answer matches the `failed` rule in the catalog's declaration.
        case reportedError = "reported-error"
        /// The answer is JSON without a usable product.
        case unusableProduct = "unusable-product"
        case otherProduct = "other-product"
        /// The catalog failed too often, so it is not queried for a while.
        case suspended
        case quotaUsedUp = "quota-used-up"
        case unreadableSecret = "unreadable-secret"
        /// The catalog's declaration does not produce a valid request.
        case invalidRequest = "invalid-request"
        case unusableCatalog = "unusable-catalog"
        case cancelled
    }

    package var code: Code
    /// The cause as a sentence; texts quoted in it are not escaped yet.
    package var reason: Phrase
    /// How long to wait before the next request; nil if unknown.
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
        case text
    }

    package static let candidateLimit = 16
    package var key: Key
    /// The products with the looked-up code: at least one, at most `candidateLimit`.
    package private(set) var candidates: [Product]

    package init(key: Key, product: Product, others: [Product] = []) {
        self.key = key
        candidates = [product] + others
    }

    /// The first candidate; the embedded catalog sorts candidates by id (byte order).
    package var product: Product { candidates[0] }

    package var isAmbiguous: Bool { candidates.count > 1 }

    package func priced(at time: Int64) -> Match {
        var match = self
        match.candidates = candidates.map { $0.priced(at: time) }
        return match
    }
}
