import Catalog

extension CatalogConfiguration {
    enum Key: String, CaseIterable {
        case sources, preset, currency, deadline, answers
    }

    /// The times an event can wait for its product.
    static let deadlines: ClosedRange<Duration> = .milliseconds(1) ... .seconds(60)

    /// Reads the settings; what is wrong is reported and has its default.
    init(reading reader: ConfigurationReader) {
        self.init()
        guard let mapping = ConfigurationMapping<Key>(reader) else { return }
        mapping.read(.currency, into: &currency) { reader in
            reader.value("a currency's three capital letters such as EUR") {
                $0.isCapitals(3) && Currency($0) != nil ? $0 : nil
            }
        }
        mapping.read(.deadline, into: &deadline) { $0.duration(in: Self.deadlines) }
        mapping.read(.answers, into: &answers) { $0.filePath() }
        if let preset = mapping[.preset] {
            readOnly(preset, isAlone: mapping[.sources] == nil)
        } else {
            mapping.read(.sources, into: &sources) { Self.sources($0, currency: currency) }
        }
    }

    /// `preset: NAME` is short for a list with that source alone.
    private mutating func readOnly(_ preset: ConfigurationReader, isAlone: Bool) {
        guard isAlone else {
            preset.report(
                expected: "preset or sources, not both (a preset among others is {preset: …})",
                found: "both")
            return
        }
        let source = HTTPCatalogConfiguration(preset: preset, at: preset, currency: currency)
        sources = source.map { [.http($0)] } ?? []
    }
}

extension CatalogConfiguration {
    enum SourceKey: String, CaseIterable {
        case embedded, preset, http
    }

    private static func sources(
        _ reader: ConfigurationReader, currency: String?
    ) -> [Source]? {
        guard let items = reader.list("a list such as [{embedded: catalog.sqlite}], or []") else {
            return nil
        }
        let sources = items.map { source($0, currency: currency) }
        check(zip(items, sources).map { ($0, $1) })
        return sources.compactMap(\.self)
    }

    private static func source(_ reader: ConfigurationReader, currency: String?) -> Source? {
        let key = SourceKey.preset.rawValue
        if let preset = reader.tree.value(of: key) {
            let name = ConfigurationReader(
                tree: preset, path: reader.at(key).path, context: reader.context)
            return HTTPCatalogConfiguration(preset: name, at: reader, currency: currency)
                .map(Source.http)
        }
        guard let mapping = ConfigurationMapping<SourceKey>(reader) else { return nil }
        if mapping.isEmpty {
            reader.report(expected: "a source such as {embedded: catalog.sqlite}")
        }
        if let http = mapping[.http] {
            if mapping[.embedded] != nil { reader.report(expected: "one source", found: "two") }
            return HTTPCatalogConfiguration(reading: http, currency: currency).map(Source.http)
        }
        return mapping[.embedded]?.filePath().map(Source.embedded)
    }

    /// Names stand in events and tell catalogs apart, and what is written back needs a place.
    private static func check(_ sources: [(ConfigurationReader, Source?)]) {
        var names: Set<String> = []
        let hasEmbedded = sources.contains { source in
            if case .embedded = source.1 { true } else { false }
        }
        for (reader, source) in sources {
            guard case .http(let catalog) = source else { continue }
            if !names.insert(catalog.declaration.name).inserted {
                reader.report(
                    expected: "a name that no other catalog has",
                    found: Quoting.quoted(catalog.declaration.name))
            }
            if catalog.writesBack, !hasEmbedded {
                reader.report(
                    expected: "an embedded catalog among the sources, for write_back",
                    found: "none")
            }
        }
    }
}
