import Barcodes

extension BarcodeDecoder.Settings {
    enum Key: String, CaseIterable {
        case region
        case inStore = "in_store"
        case eightDigits = "eight_digits"
    }

    /// Reads the settings; what is wrong is reported and has its default.
    init(reading reader: ConfigurationReader) {
        self.init()
        guard let mapping = ConfigurationMapping<Key>(reader) else { return }
        mapping.read(.region, into: &region) { $0.choice(Region.self) }
        mapping.read(.inStore, into: &inStorePatterns) { reader in
            reader.list("a list of patterns such as [21IIIIIPPPPPK]")?.compactMap(Self.pattern)
        }
        mapping.read(.eightDigits, into: &ambiguousEightDigits) { $0.choice(EightDigits.self) }
    }

    private static func pattern(_ reader: ConfigurationReader) -> InStorePattern? {
        let expected = "the pattern of an in-store code such as 21IIIIIPPPPPK"
        guard let text = reader.text(expected) else { return nil }
        do {
            return try InStorePattern(text)
        } catch {
            reader.report(expected: "\(expected) (\(error))")
            return nil
        }
    }
}

extension String {
    /// Whether this is so many letters `A`…`Z` and nothing else.
    func isCapitals(_ count: Int) -> Bool {
        utf8.count == count && utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
}
