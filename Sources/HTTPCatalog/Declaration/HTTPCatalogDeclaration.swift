/// A shop's service with its products, as a configuration file declares it.
///
/// It says everything there is to say about one catalog, and does nothing: ``DeclaredCatalog`` asks it.
package struct HTTPCatalogDeclaration: Hashable, Sendable {
    /// What the catalog is called in events and messages.
    package var name: String
    /// The URL that paths stand behind: http or https, a host, perhaps a port and a path without a
    /// slash at its end.
    package var url: String
    /// How the catalog knows who asks.
    package var authentication: Authentication
    /// Which codes it is asked for.
    package var codes: CodeRules
    /// Texts for placeholders that are the same for every code: a shop's number, a language.
    package var variables: [RequestDeclaration.Field<String>]
    /// The request for a code; `{code}` is the code.
    package var request: RequestDeclaration
    /// What its answers mean.
    package var rules: AnswerRules
    /// A second request, for what the first answer only names.
    package var followUp: FollowUp?
    /// Which parts of the (last) answer are which fields of a product.
    package var product: ProductMapping
    /// Where the catalog tells how many more requests it takes.
    package var rateLimit: RateLimitFields
    /// Which redirects are followed.
    package var redirects: Redirects
    /// The longest answer that is read, in bytes, decompressed.
    package var maximumAnswer: Int
    /// What is done so that a slow or broken catalog does no harm.
    package var resilience: ResilienceSettings

    /// The longest answer that is read unless a declaration says otherwise: one MiB, where the
    /// product of a shop takes a few thousand bytes and the largest of Open Food Facts some 100,000.
    package static let standardAnswer = 1 << 20

    /// Makes a declaration.
    ///
    /// - Parameters:
    ///   - name: What the catalog is called in events and messages.
    ///   - url: The URL that paths stand behind.
    ///   - authentication: How the catalog knows who asks.
    ///   - codes: Which codes it is asked for.
    ///   - variables: Texts for placeholders that are the same for every code.
    ///   - request: The request for a code.
    ///   - rules: What its answers mean.
    ///   - followUp: A second request.
    ///   - product: Which parts of the answer are which fields of a product.
    ///   - rateLimit: Where the catalog tells how many more requests it takes.
    ///   - redirects: Which redirects are followed.
    ///   - maximumAnswer: The longest answer that is read, in bytes.
    ///   - resilience: What is done so that a slow or broken catalog does no harm.
    package init(
        name: String, url: String, authentication: Authentication = .none,
        codes: CodeRules = CodeRules(), variables: [RequestDeclaration.Field<String>] = [],
        request: RequestDeclaration, rules: AnswerRules = AnswerRules(),
        followUp: FollowUp? = nil, product: ProductMapping,
        rateLimit: RateLimitFields = RateLimitFields(), redirects: Redirects = .sameOrigin,
        maximumAnswer: Int = standardAnswer, resilience: ResilienceSettings = ResilienceSettings()
    ) {
        self.name = name
        self.url = url
        self.authentication = authentication
        self.codes = codes
        self.variables = variables
        self.request = request
        self.rules = rules
        self.followUp = followUp
        self.product = product
        self.rateLimit = rateLimit
        self.redirects = redirects
        self.maximumAnswer = maximumAnswer
        self.resilience = resilience
    }
}
