import WebAPI

/// A shop's product service, as declared in the configuration.
///
/// It is pure data; ``DeclaredCatalog`` sends the requests.
package struct HTTPCatalogDeclaration: Equatable, Sendable {
    /// The catalog's name in events and messages.
    package var name: String
    /// The base URL for all paths: http or https, a host, perhaps a port and a path.
    package var url: String
    package var authentication = Authentication.none
    package var codes = CodeRules()
    /// Values of placeholders that are the same for every code: a shop's number, a language.
    package var variables: [Named<String>] = []
    /// The request for a code, in which `{code}` is the code.
    package var request: RequestDeclaration
    package var rules = AnswerRules()
    /// A second request, for data that the first answer only refers to.
    package var followUp: FollowUp?
    /// The places of a product's fields in the (last) answer.
    package var product = ProductMapping()
    package var rateLimit = RateLimitFields()
    package var redirects = Redirects.sameOrigin
    /// The size limit for answers, in decompressed bytes.
    package var maximumAnswer = standardAnswer
    package var resilience = ResilienceSettings()

    /// 1 MiB: a shop's product takes a few thousand bytes, the largest ones of Open Food Facts about 100,000.
    package static let standardAnswer = 1 << 20

    package init(name: String, url: String, request: RequestDeclaration) {
        (self.name, self.url, self.request) = (name, url, request)
    }

    /// Everything that determines requests and the meaning of answers.
    ///
    /// An answer cached under a different identity might mean a different product.
    var identity: String {
        let parts: [Any] = [
            name, url, codes, variables, request, rules, followUp as Any, product, authentication,
        ]
        return parts.map { String(describing: $0) }.joined(separator: "\n")
    }
}

/// The header fields in which a catalog says how many more requests it accepts, besides `Retry-After`.
package struct RateLimitFields: Equatable, Sendable {
    package enum TimeUnit: String, CaseIterable, Sendable {
        /// From now.
        case seconds, milliseconds
        /// Since 1970.
        case epochSeconds = "epoch-seconds"
        case epochMilliseconds = "epoch-milliseconds"
    }

    /// The field with the number of requests left.
    package var remaining: String?
    /// The field with the time when the quota is refilled.
    package var reset: String?
    package var resetUnit = TimeUnit.seconds

    package init() {}
}

package enum Redirects: String, CaseIterable, Sendable {
    case refuse
    /// Redirects within the catalog's own scheme, host and port, up to three in a row.
    case sameOrigin = "same-origin"
    /// Redirects to any host, up to three in a row; other hosts get no credentials.
    case anyOrigin = "any-origin"

    var policy: RedirectPolicy {
        switch self {
        case .refuse: .refuse
        case .sameOrigin: .sameOrigin(maximum: 3)
        case .anyOrigin: .anyOrigin(maximum: 3)
        }
    }
}
