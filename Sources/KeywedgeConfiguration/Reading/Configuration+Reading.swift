import Barcodes

extension Configuration {
    enum Key: String, CaseIterable {
        case scanners, barcodes, catalog, events
    }

    /// Reads a whole file; what is wrong is reported and has its default.
    init(reading reader: ConfigurationReader) {
        self.init()
        guard let mapping = ConfigurationMapping<Key>(reader) else { return }
        mapping.read(.scanners, into: &scanners, Self.scanners)
        mapping.read(.barcodes, into: &barcodes, BarcodeDecoder.Settings.init(reading:))
        mapping.read(.catalog, into: &catalog, CatalogConfiguration.init(reading:))
        mapping.read(.events, into: &events, SinkConfiguration.list)
    }

    private static func scanners(_ reader: ConfigurationReader) -> [ScannerConfiguration]? {
        guard let items = reader.list("a list of scanners such as [{name: counter}]") else {
            return nil
        }
        guard !items.isEmpty else {
            reader.report(expected: "at least one scanner")
            return nil
        }
        var first: [String: ConfigurationReader] = [:]
        return items.map { item in
            let scanner = ScannerConfiguration(reading: item)
            guard !scanner.name.isEmpty, let place = item.first("name") else { return scanner }
            if let earlier = first[scanner.name] {
                let found = "\(Quoting.quoted(scanner.name)), as on line \(earlier.tree.line)"
                place.report(expected: "a name that no other scanner has", found: found)
            } else {
                first[scanner.name] = place
            }
            return scanner
        }
    }
}

extension ConfigurationReader {
    /// The first value of a key, without a report where there is none.
    fileprivate func first(_ key: String) -> Self? {
        guard case .mapping(let entries) = tree.content else { return nil }
        let entry = entries.first { $0.key.content.text == key }
        return entry.map { Self(tree: $0.value, path: at(key).path, context: context) }
    }
}

extension YAMLTree.Content {
    fileprivate var text: String? {
        guard case .scalar(let text, _) = self else { return nil }
        return text
    }
}
