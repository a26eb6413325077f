/// Where products come from, and how long a scan waits for them.
package struct CatalogConfiguration: Equatable, Sendable {
    /// One place to look a code up.
    package enum Source: Equatable, Sendable {
        /// The SQLite file at this path.
        case embedded(path: String)
        /// A service that is reached over HTTP.
        case http(HTTPCatalogConfiguration)
    }

    /// Where the embedded catalog lies when nothing else is said.
    package static let standardPath = "/var/lib/keywedge/catalog.sqlite"

    /// The places to look, in order; empty where nothing is looked up.
    package var sources: [Source]
    /// The currency of prices that name none: three capital letters (ISO 4217), or nil.
    package var currency: String?
    /// How long an event waits for its product.
    package var deadline: Duration
    /// The file that answers of catalogs are kept in; nil to keep them in memory alone.
    package var answers: String?

    /// Makes the settings; what is left out has its default.
    ///
    /// - Parameters:
    ///   - sources: The places to look, in order.
    ///   - currency: The currency of prices that name none.
    ///   - deadline: How long an event waits for its product.
    ///   - answers: The file that answers of catalogs are kept in.
    package init(
        sources: [Source] = [.embedded(path: standardPath)], currency: String? = nil,
        deadline: Duration = .milliseconds(1500), answers: String? = nil
    ) {
        self.sources = sources
        self.currency = currency
        self.deadline = deadline
        self.answers = answers
    }

    /// The file of the first embedded catalog; nil where there is none.
    package var embeddedPath: String? {
        sources.lazy.compactMap { if case .embedded(let path) = $0 { path } else { nil } }.first
    }
}
