import Catalog
import HTTPCatalog
import WireText
import Yams

/// Where products are looked up, and how long a lookup may take.
package struct CatalogConfiguration: Equatable, Sendable {
    package enum Source: Equatable, Sendable {
        /// The embedded catalog, an SQLite file at this path.
        case embedded(path: String)
        case http(HTTPCatalogConfiguration)

        /// The name of an HTTP catalog, or the path of an embedded catalog.
        fileprivate var name: String {
            switch self {
            case .embedded(let path): path
            case .http(let catalog): catalog.declaration.name
            }
        }
    }

    package static let standardPath = "/var/lib/keywedge/catalog.sqlite"

    /// The catalogs, in the order in which they are queried; if empty, codes are not looked up.
    package var sources = [Source.embedded(path: standardPath)]
    /// The default currency, for prices without one: three capital letters (ISO 4217).
    package var currency: String?
    package var deadline = Duration.milliseconds(1500)
    /// The path of the file that caches web services' answers; nil to cache them only in memory.
    package var answers: String?

    private var embeddedPaths: [String] {
        sources.compactMap { if case .embedded(let path) = $0 { path } else { nil } }
    }

    package var embeddedPath: String? { embeddedPaths.first }

    /// Returns an embedded catalog's name in events, status and metrics.
    ///
    /// If there are several embedded catalogs, the name includes the path.
    func name(ofEmbedded path: String) -> String {
        embeddedPaths.count == 1 ? "embedded" : "embedded:\(path)"
    }

    static let section = Section(
        "catalog", CatalogConfiguration(),
        former: ["scope": "none: the embedded catalog follows the feed of one shop"]
    ) {
        Setting(oneOf: .oneAtMost) {
            Setting(
                "sources", \.sources, .catalogSources,
                "Where products are looked up, in this order.")
            Setting(
                "preset", \.sources, Codec<Source>.preset.map({ [$0] }, { _ in nil }),
                "The only source, if it is a preset that needs no settings.")
        }
        Setting(
            "currency", \.currency,
            .text(
                "a currency's three capital letters such as EUR", .string(pattern: "^[A-Z]{3}$"),
                where: \.isCurrency),
            "The currency of prices that name none: three capital letters (ISO 4217).")
        Setting(
            "deadline", \.deadline, .duration(in: .milliseconds(1) ... .seconds(60)),
            "How long an event waits for its product, in all sources together.")
        Setting(
            "answers", \.answers, .path,
            "A file that keeps the answers of services across restarts; without it, memory keeps "
                + "them.")
    }
}

extension String {
    /// Whether the string is an ISO 4217 currency code in capital letters.
    var isCurrency: Bool { Currency(self)?.code == self }
}

extension Codec<[CatalogConfiguration.Source]> {
    fileprivate static let catalogSources = list(
        "a list such as [{embedded: catalog.sqlite}], or []", of: .source
    ) { _, sources in
        // Events, the status and the metrics tell catalogs apart by their names.
        reportRepeats(in: sources, by: \.name) { item, name, _ in
            let what = item["embedded"] == nil ? "a name" : "a file"
            item.report(expected: "\(what) that no other catalog has", found: "\(quoted: name)")
        }
    }
}

extension Codec<CatalogConfiguration.Source> {
    private typealias Source = CatalogConfiguration.Source

    /// A codec that reads the name of a preset, but never writes one.
    fileprivate static let preset = Self(
        read: { HTTPCatalogConfiguration.preset($0, in: $0).map(Source.http) },
        write: { _ in nil }, schema: { _ in .either(Presets.names) })

    private static let section = Section("source", Source?.none) {
        Setting(oneOf: .one) {
            Setting(
                "embedded", \.self,
                Codec<String>.path.map(
                    Source.embedded, { if case .embedded(let path) = $0 { path } else { nil } }),
                "An embedded catalog: its file.")
            Setting("preset", \.self, preset, "A service that keywedge knows, by its name.")
            Setting(
                "http", \.self,
                Codec<HTTPCatalogConfiguration>.later { HTTPCatalogConfiguration.section.codec }
                    .map(Source.http, { if case .http(let catalog) = $0 { catalog } else { nil } }),
                "A service over HTTP, declared here.")
        }
    }

    /// An element of `sources`: an embedded catalog, an HTTP catalog or a preset.
    fileprivate static let source = either(
        section.codec.map({ $0 }, { $0 }),
        Self(
            read: { source in
                source["preset"].flatMap { HTTPCatalogConfiguration.preset($0, in: source) }
                    .map(Source.http)
            }, write: { _ in nil }, schema: HTTPCatalogConfiguration.presetSchema),
        isLong: { $0.pairs?.keys.contains { $0.text == "preset" } == true })
}
