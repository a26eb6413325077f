import Catalog

extension CatalogConfiguration {
    enum Key: String, CaseIterable {
        case sources, currency, deadline
    }

    enum SourceKey: String, CaseIterable {
        case embedded
    }

    /// The times an event can wait for its product.
    static let deadlines: ClosedRange<Duration> = .milliseconds(1) ... .seconds(60)

    /// Reads the settings; what is wrong is reported and has its default.
    init(reading reader: ConfigurationReader) {
        self.init()
        guard let mapping = ConfigurationMapping<Key>(reader) else { return }
        mapping.read(.sources, into: &sources) { reader in
            reader.list("a list such as [{embedded: catalog.sqlite}], or []")?.compactMap(
                Self.source)
        }
        mapping.read(.currency, into: &currency) { reader in
            reader.value("a currency's three capital letters such as EUR") {
                $0.isCapitals(3) && Currency($0) != nil ? $0 : nil
            }
        }
        mapping.read(.deadline, into: &deadline) { $0.duration(in: Self.deadlines) }
    }

    private static func source(_ reader: ConfigurationReader) -> Source? {
        guard let mapping = ConfigurationMapping<SourceKey>(reader) else { return nil }
        if mapping.isEmpty {
            reader.report(expected: "a source such as {embedded: catalog.sqlite}")
        }
        return mapping[.embedded]?.filePath().map(Source.embedded)
    }
}
