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
    ///
    /// - Parameters:
    ///   - outcome: What was found.
    ///   - origin: Where the answer comes from.
    ///   - attempts: How many requests were sent for it.
    ///   - originalFailure: Why the catalog could not be asked, where an earlier answer stands in.
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

    /// How long ago the catalog gave the answer; nil where it was just now.
    package var age: Duration? {
        switch self {
        case .embedded, .network: nil
        case .cache(let age), .stale(let age): age
        }
    }
}
