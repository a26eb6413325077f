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
    /// The currency of prices that name no currency: three capital letters (ISO 4217).
    package var currency: String?
    package var deadline = Duration.milliseconds(1500)
    /// The path of the file that caches web services' answers; nil to cache them only in memory.
    package var answers: String?

    package var embeddedPath: String? {
        embeddedPaths.first
    }

    private var embeddedPaths: [String] {
        sources.compactMap { if case .embedded(let path) = $0 { path } else { nil } }
    }

    /// Returns an embedded catalog's name in events, status and metrics.
    ///
    /// If there are several embedded catalogs, the name includes the path.
    func name(ofEmbedded path: String) -> String {
        embeddedPaths.count == 1 ? "embedded" : "embedded:\(path)"
    }
}

extension CatalogConfiguration {
    static let section = Section(
        "catalog", CatalogConfiguration(),
        former: ["scope": "none: the embedded catalog follows the feed of one shop"]
    ) {
        Setting(
            \.sources,
            oneOf: [
                Alternative(
                    "sources", .catalogSources, "Where products are looked up, in this order."),
                Alternative(
                    "preset", .onlyPreset,
                    "The only source, if it is a preset that needs no settings."),
            ], .oneAtMost, isReported: false)
        Setting(
            "currency", \.currency,
            .text("a currency's three capital letters such as EUR", .string(pattern: "^[A-Z]{3}$"))
            {
                $0.isCurrency
            },
            "The currency of prices that name none: three capital letters (ISO 4217).")
        Setting(
            "deadline", \.deadline, .duration(in: .milliseconds(1) ... .seconds(60)),
            "How long an event waits for its product, whichever source is asked.")
        Setting(
            "answers", \.answers, .path,
            "A file that keeps the answers of services across restarts; without it, memory keeps them."
        )
    } check: { _, section in
        guard let preset = section["preset"], section["sources"] != nil else {
            return
        }
        preset.report(
            expected: "preset or sources, not both (a preset among others is {preset: …})",
            found: "both")
    }
}

extension String {
    /// Whether the string is a currency code (ISO 4217).
    var isCurrency: Bool {
        utf8.count == 3 && utf8.allSatisfy { (0x41...0x5A).contains($0) } && Currency(self) != nil
    }
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

    /// The setting `preset`, which a file may use instead of `sources` if its only source is a preset without
    /// settings.
    fileprivate static let onlyPreset = Self(
        read: { name in
            HTTPCatalogConfiguration.preset(name, in: name).map { [.http($0)] }
        }, write: { _ in nil }, schema: { _ in .either(Presets.names) })
}

extension Codec<CatalogConfiguration.Source> {
    private typealias Source = CatalogConfiguration.Source

    private static let section = Section("source", Source?.none) {
        Setting(
            \.self,
            oneOf: [
                Alternative(
                    "embedded",
                    Codec<String>.path.map(
                        Source.embedded,
                        { if case .embedded(let path) = $0 { path } else { nil } }),
                    "An embedded catalog: its file."),
                Alternative(
                    "preset",
                    // This codec is only for the schema, because ``source`` reads presets.
                    Codec<Source?>(
                        read: { _ in nil }, write: { _ in nil },
                        schema: { _ in .either(Presets.names) }),
                    "A service that keywedge knows, by its name."),
                Alternative(
                    "http",
                    Codec<HTTPCatalogConfiguration>.later { HTTPCatalogConfiguration.codec }
                        .map(
                            Source.http,
                            { if case .http(let catalog) = $0 { catalog } else { nil } }),
                    "A service over HTTP, declared here."),
            ], .one, isReported: false)
    } check: { _, section in
        if section.tree.pairs?.isEmpty == true {
            section.report(expected: "a source such as {embedded: catalog.sqlite}")
        }
        if section["http"] != nil, section["embedded"] != nil {
            section.report(expected: "one source", found: "two")
        }
    }

    /// An element of `sources`: a preset's name with settings beside it, or another kind of source.
    ///
    /// Writing a preset produces its complete declaration, not its name.
    fileprivate static let source = Self(
        read: { reader in
            if let preset = reader["preset"] {
                return HTTPCatalogConfiguration.preset(preset, in: reader).map(Source.http)
            }
            return section.codec.read(reader).flatMap { $0 }
        },
        write: { section.codec.write($0) },
        schema: { writer in
            .any(
                of: section.codec.schema(&writer),
                HTTPCatalogConfiguration.presetSchema(&writer))
        })
}
