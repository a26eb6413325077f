package import Barcodes
package import WireText

/// What one source says about a code, and where it has it from.
package struct LookupAnswer: Hashable, Sendable {
    /// What was found.
    package var outcome: LookupOutcome
    /// Where the answer comes from; nil where the source knows without looking that it has no such
    /// code, and where it failed.
    package var origin: LookupOrigin?
    /// How many requests were sent for it.
    package var attempts: Int
    /// Why the catalog could not be asked, where an answer of an earlier time stands in.
    package var originalFailure: LookupFailure?

    /// Makes an answer.
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
    /// The catalog was asked a while ago, and the answer may not hold any more: prices in
    /// particular.
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
        /// There was no answer in time.
        case timedOut = "timed-out"
        /// The catalog's host has no address, or refuses the connection.
        case unreachable
        /// No secure connection could be made.
        case tls = "tls-failed"
        /// The connection broke before the answer was complete, or what came is no HTTP.
        case brokenConnection = "broken-connection"
        /// The catalog does not know us, or not for this: status 401 or 403.
        case unauthorized
        /// The catalog wants no requests for a while.
        case throttled
        /// The catalog says that it has failed: status 500 to 599.
        case serverError = "server-error"
        /// A status that no rule explains.
        case unexpectedStatus = "unexpected-status"
        /// The answer is not the JSON that was expected.
        case unreadableAnswer = "unreadable-answer"
        /// The answer is longer than allowed.
        case answerTooLong = "answer-too-long"
        /// The catalog says in its answer that it has failed.
        case reportedError = "reported-error"
        /// The answer is JSON without a usable product.
        case unusableProduct = "unusable-product"
        /// The catalog answered with another product.
        case otherProduct = "other-product"
        /// The catalog is left alone for a while, since it failed too often.
        case suspended
        /// As many requests were sent as the quota allows.
        case quotaUsedUp = "quota-used-up"
        /// A secret cannot be read.
        case unreadableSecret = "unreadable-secret"
        /// The declaration gives no valid request.
        case invalidRequest = "invalid-request"
        /// The embedded catalog cannot be used.
        case unusableCatalog = "unusable-catalog"
        /// The caller cancelled the lookup.
        case cancelled
    }

    /// The kind of failure.
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
