import Catalog
import HTTPCatalog
import WireText
import Yams

extension CatalogConfiguration {
    static let section = Section(
        "catalog", CatalogConfiguration(),
        former: ["scope": "none: the embedded catalog follows the feed of one shop"],
        prepare: readAhead
    ) {
        Setting(
            \.sources,
            oneOf: [
                Alternative(
                    "sources", .catalogSources, "Where products are looked up, in this order."),
                Alternative(
                    "preset", .onlyPreset,
                    "The only source, where it is a preset that needs no settings."),
            ], .oneAtMost, isReported: false)
        Setting(
            "currency", \.currency, .currency,
            "The currency of prices that name none: three capital letters (ISO 4217).")
        Setting(
            "deadline", \.deadline, .duration(in: .milliseconds(1) ... .seconds(60)),
            "How long an event waits for its product, whichever source is asked.")
        Setting(
            "answers", \.answers, .path,
            "A file for what services answered, so that it outlives a restart; else in memory.")
    } check: { _, section in
        guard let preset = section.values["preset"], section.values["sources"] != nil else {
            return
        }
        preset.report(
            expected: "preset or sources, not both (a preset among others is {preset: …})",
            found: "both")
    }

    /// Prices that name no currency have this one, which may stand further down.
    @Sendable private static func readAhead(_ section: SectionReader<Self>) {
        let currency = section[\.currency]?.unreported
        section.reader.context.currency = currency.flatMap(Codec<String>.currency.read)
    }
}

extension Codec<String> {
    fileprivate static let currency = text(
        "a currency's three capital letters such as EUR", .string(pattern: "^[A-Z]{3}$")
    ) { $0.isCapitals(3) && Currency($0) != nil }
}

extension Codec<[CatalogConfiguration.Source]> {
    fileprivate static let catalogSources = list(
        "a list such as [{embedded: catalog.sqlite}], or []", of: .source
    ) { _, sources in
        // Names stand in events and tell catalogs apart.
        var names: Set<String> = []
        for case (let reader, .http(let catalog)?) in sources {
            if !names.insert(catalog.declaration.name).inserted {
                reader.report(
                    expected: "a name that no other catalog has",
                    found: "\(quoted: catalog.declaration.name)")
            }
        }
    }
}

extension Codec<[CatalogConfiguration.Source]> {
    /// The name of a preset that needs no settings.
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
                    "preset", Codec<Source?>.presetAlone,
                    "A service that keywedge knows, by its name."),
                Alternative(
                    "http",
                    Codec<HTTPCatalogConfiguration>.later { HTTPCatalogConfiguration.section.codec }
                        .map(
                            Source.http,
                            { if case .http(let catalog) = $0 { catalog } else { nil } }),
                    "A service over HTTP, declared here."),
            ], .one, isReported: false)
    } check: { _, section in
        if section.values.isEmpty {
            section.reader.report(expected: "a source such as {embedded: catalog.sqlite}")
        }
        if section.values["http"] != nil, section.values["embedded"] != nil {
            section.reader.report(expected: "one source", found: "two")
        }
    }

    /// A preset by its name with settings beside it, or another source.
    ///
    /// A preset is read as a whole, and written as what it stands for.
    fileprivate static let source = Self(
        read: { reader in
            if let preset = reader.child("preset") {
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

extension Codec<CatalogConfiguration.Source?> {
    fileprivate static let presetAlone = Self(
        read: { _ in nil }, write: { _ in nil }, schema: { _ in .either(Presets.names) })
}
