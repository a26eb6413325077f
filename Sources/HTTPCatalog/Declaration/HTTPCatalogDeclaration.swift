import WebAPI

/// A shop's service with its products, as a configuration file declares it.
///
/// It says everything about one catalog and does nothing: ``DeclaredCatalog`` asks it.
package struct HTTPCatalogDeclaration: Equatable, Sendable {
    /// What the catalog is called in events and messages.
    package var name: String
    /// What paths are appended to: http or https, a host, perhaps a port and a path.
    package var url: String
    /// How the catalog knows who asks.
    package var authentication = Authentication.none
    package var codes = CodeRules()
    /// Texts for placeholders that are the same for every code: a shop's number, a language.
    package var variables: [RequestDeclaration.Field<String>] = []
    /// The request for a code; `{code}` is the code.
    package var request: RequestDeclaration
    package var rules = AnswerRules()
    /// A second request, for what the first answer only names.
    package var followUp: FollowUp?
    /// Which parts of the (last) answer are which fields of a product.
    package var product = ProductMapping()
    package var rateLimit = RateLimitFields()
    package var redirects = Redirects.sameOrigin
    /// The longest answer that is read, in bytes, decompressed.
    package var maximumAnswer = standardAnswer
    package var resilience = ResilienceSettings()

    /// One MiB: the product of a shop takes a few thousand bytes, the largest of Open Food Facts some
    /// 100,000.
    package static let standardAnswer = 1 << 20

    package init(name: String, url: String, request: RequestDeclaration) {
        self.name = name
        self.url = url
        self.request = request
    }

    /// Everything that decides what is asked and how it is read: an answer that was kept under another
    /// text may mean another product.
    var identity: String {
        let parts: [Any] = [
            name, url, codes, variables, request, rules, followUp as Any, product, authentication,
        ]
        return parts.map { String(describing: $0) }.joined(separator: "\n")
    }
}

/// The header fields in which a catalog says how many more requests it takes, beside the standard
/// `Retry-After`.
package struct RateLimitFields: Equatable, Sendable {
    /// How a point in time is written.
    package enum TimeUnit: String, CaseIterable, Sendable {
        /// Seconds from now.
        case seconds
        /// Milliseconds from now.
        case milliseconds
        /// Seconds since 1970.
        case epochSeconds = "epoch-seconds"
        /// Milliseconds since 1970.
        case epochMilliseconds = "epoch-milliseconds"
    }

    /// The field with how many more requests are taken.
    package var remaining: String?
    /// The field with when there will be more.
    package var reset: String?
    package var resetUnit = TimeUnit.seconds

    package init() {}
}

/// Which redirects of a catalog are followed.
package enum Redirects: String, CaseIterable, Sendable {
    /// None.
    case refuse
    /// Those within the catalog's own scheme, host and port, up to three in a row.
    case sameOrigin = "same-origin"
    /// Those to any host, up to three in a row; nothing that authenticates us goes along.
    case anyOrigin = "any-origin"

    var policy: RedirectPolicy {
        switch self {
        case .refuse: .refuse
        case .sameOrigin: .sameOrigin(maximum: 3)
        case .anyOrigin: .anyOrigin(maximum: 3)
        }
    }
}
