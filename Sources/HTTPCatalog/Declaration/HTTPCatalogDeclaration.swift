import WebAPI

/// The settings for looking up products in a shop's web service; ``DeclaredCatalog`` sends the requests.
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
    /// Where to find a product's fields in the answer, or in the answer to the ``followUp`` if there is one.
    package var product = ProductMapping()
    package var rateLimit = RateLimitFields()
    package var redirects = Redirects.sameOrigin
    /// The largest answer to accept, in bytes after decompression.
    package var maximumAnswer = standardAnswer
    package var resilience = ResilienceSettings()

    /// The default ``maximumAnswer``: 1 MiB, about ten times the size of the largest product in Open Food Facts.
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

/// Header fields, besides `Retry-After`, in which a catalog reports how many requests it still accepts.
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
    /// Requests follow redirects to any origin, up to three in a row; only the catalog's origin gets credentials.
    case anyOrigin = "any-origin"

    var policy: RedirectPolicy {
        switch self {
        case .refuse: .refuse
        case .sameOrigin: .sameOrigin(maximum: 3)
        case .anyOrigin: .anyOrigin(maximum: 3)
        }
    }
}
