package import Barcodes
package import WireText

/// Where products are looked up: the embedded catalog, or one reached through a network.
package protocol ProductSource: Sendable {
    /// The name of the source in events and messages, for instance `embedded`.
    var name: String { get }

    /// The answer a source has without waiting for anything; nil if it has to be asked.
    func immediateAnswer(for barcode: Barcode) -> LookupAnswer?

    /// Looks up the product a barcode names. A source that cannot answer within the limit says why; it
    /// never throws.
    func lookup(_ barcode: Barcode, within limit: Duration) async -> LookupAnswer
}

extension ProductSource {
    package func immediateAnswer(for barcode: Barcode) -> LookupAnswer? { nil }
}

/// The answer of one source about a code.
package struct LookupAnswer: Hashable, Sendable {
    package var outcome: LookupOutcome
    /// Where the answer comes from; nil if the source failed, or knows without looking that it has no such
    /// code.
    package var origin: LookupOrigin?
    /// How many requests were sent for it.
    package var attempts: Int
    /// Why the catalog could not be asked, if this is an earlier answer.
    package var originalFailure: LookupFailure?

    package init(
        _ outcome: LookupOutcome, origin: LookupOrigin? = nil, attempts: Int = 0,
        originalFailure: LookupFailure? = nil
    ) {
        self.outcome = outcome
        self.origin = origin
        self.attempts = attempts
        self.originalFailure = originalFailure
    }
}

/// The result of looking up a product.
package enum LookupOutcome: Hashable, Sendable {
    /// The catalog has the product.
    case found(Match)
    /// The catalog answered, and has no such product.
    case notFound
    /// There is no catalog yet.
    case skipped
    /// The catalog could not answer.
    case failed(LookupFailure)
}

/// Where an answer comes from.
package enum LookupOrigin: Hashable, Sendable {
    /// The catalog on this box.
    case embedded
    /// The catalog was asked for it.
    case network
    /// The catalog was asked a while ago, and the answer still holds.
    case cache(age: Duration)
    /// The catalog was asked a while ago; the answer, prices in particular, may not hold any more.
    case stale(age: Duration)

    /// The origin as events name it.
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

/// Why a source could not answer.
package struct LookupFailure: Error, Hashable, Sendable {
    /// The kind of failure, as events name it.
    package enum Code: String, CaseIterable, Hashable, Sendable {
        case timedOut = "timed-out"
        /// The catalog's host has no address, or refuses the connection.
        case unreachable
        case tls = "tls-failed"
        /// The connection broke before the answer was complete, or what came is no HTTP.
        case brokenConnection = "broken-connection"
        /// The catalog does not know us, or not for this: status 401 or 403.
        case unauthorized
        case throttled
        /// The catalog says that it has failed: status 500 to 599.
        case serverError = "server-error"
        /// A status that no rule explains.
        case unexpectedStatus = "unexpected-status"
        /// The answer is not the JSON that was expected.
        case unreadableAnswer = "unreadable-answer"
        case answerTooLong = "answer-too-long"
        /// The catalog says in its answer that it has failed.
        case reportedError = "reported-error"
        /// The answer is JSON without a usable product.
        case unusableProduct = "unusable-product"
        case otherProduct = "other-product"
        /// The catalog is left alone for a while, since it failed too often.
        case suspended
        /// As many requests were sent as the quota allows.
        case quotaUsedUp = "quota-used-up"
        case unreadableSecret = "unreadable-secret"
        /// The declaration gives no valid request.
        case invalidRequest = "invalid-request"
        case unusableCatalog = "unusable-catalog"
        case cancelled
    }

    package var code: Code
    /// The cause, in one sentence; texts from elsewhere in it are not escaped yet.
    package var reason: Phrase
    /// The time to wait before asking again; nil if the catalog named none.
    package var retryAfter: Duration?

    package init(_ code: Code, _ reason: Phrase, retryAfter: Duration? = nil) {
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
    }
}

/// The product that a lookup found, and others with the same code.
package struct Match: Hashable, Sendable {
    /// The kind of key that matched.
    package enum Key: String, Hashable, Sendable {
        /// The product's GTIN, in whatever spelling.
        case gtin
        /// The text as typed.
        case text
    }

    /// Most candidates a match lists.
    package static let candidateLimit = 16

    package var key: Key
    /// The products with that code: at least one, at most `candidateLimit`.
    package private(set) var candidates: [Product]

    package init(key: Key, product: Product, others: [Product] = []) {
        self.key = key
        candidates = [product] + others
    }

    /// The product found; of several in the embedded catalog, the one whose id comes first.
    package var product: Product { candidates[0] }

    /// Whether several products have the code.
    package var isAmbiguous: Bool { candidates.count > 1 }

    /// The match with the prices of a time.
    package func priced(at time: Int64) -> Match {
        var match = self
        match.candidates = candidates.map { $0.priced(at: time) }
        return match
    }
}
