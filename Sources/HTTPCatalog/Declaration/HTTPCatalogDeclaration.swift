import WebAPI

/// The settings for looking up products in a shop's web service.
package struct HTTPCatalogDeclaration: Equatable, Sendable {
    package var name: String
    /// The http or https URL to which request paths are appended; it may contain a port and a path.
    package var url: String
    package var authentication = Authentication.none
    package var codes = CodeRules()
    /// Placeholders whose values are the same for every code, such as a shop's number or a language.
    package var variables: [Named<String>] = []
    /// The request that looks up a code, with the placeholder `{code}`.
    package var request: RequestDeclaration
    package var rules = AnswerRules()
    package var followUp: FollowUp?
    /// Where to find a product's fields in the answer, or in both answers if there is a ``followUp``.
    package var product = ProductMapping()
    package var rateLimit = RateLimitFields()
    package var redirects = Redirects.sameOrigin
    /// The largest answer to accept, in bytes after decompression.
    package var maximumAnswer = standardAnswer
    package var resilience = ResilienceSettings()

    /// The default ``maximumAnswer``: 1 MiB, far more than a product usually needs.
    package static let standardAnswer = 1 << 20

    package init(name: String, url: String, request: RequestDeclaration) {
        (self.name, self.url, self.request) = (name, url, request)
    }

    /// All settings that affect requests or the meaning of answers, as text; part of the cache key.
    var identity: String {
        let parts: [Any] = [
            name, url, codes, variables, request, rules, followUp as Any, product, authentication,
        ]
        return parts.map { String(describing: $0) }.joined(separator: "\n")
    }
}

/// The header fields in which a catalog reports its rate limit.
package struct RateLimitFields: Equatable, Sendable {
    package enum TimeUnit: String, CaseIterable, Sendable {
        /// The time left until the quota is refilled, in this unit.
        case seconds, milliseconds
        /// The time at which the quota is refilled, in seconds since 1970 (UTC).
        case epochSeconds = "epoch-seconds"
        case epochMilliseconds = "epoch-milliseconds"
    }

    package var remaining: String?
    package var reset: String?
    package var resetUnit = TimeUnit.seconds

    package init() {}
}

package enum Redirects: String, CaseIterable, Sendable {
    case refuse
    /// Requests follow redirects that keep the scheme, host and port, up to three in a row.
    case sameOrigin = "same-origin"
    /// Requests follow redirects to any origin, but only the catalog's origin gets credentials.
    case anyOrigin = "any-origin"

    var policy: RedirectPolicy {
        switch self {
        case .refuse: .refuse
        case .sameOrigin: .sameOrigin(maximum: 3)
        case .anyOrigin: .anyOrigin(maximum: 3)
        }
    }
}
