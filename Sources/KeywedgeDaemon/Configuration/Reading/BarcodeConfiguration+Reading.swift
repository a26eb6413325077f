extension BarcodeConfiguration {
    enum Key: String, CaseIterable {
        case region
        case eightDigits = "eight_digits"
    }

    /// Reads the settings; what is wrong is reported and has its default.
    init(reading reader: ConfigurationReader) {
        self.init()
        guard let mapping = ConfigurationMapping<Key>(reader) else { return }
        mapping.read(.region, into: &region) { reader in
            reader.value("a country's two capital letters such as DE") {
                $0.isCapitals(2) ? $0 : nil
            }
        }
        mapping.read(.eightDigits, into: &eightDigits) { $0.choice(EightDigits.self) }
    }
}

extension String {
    /// Whether this is so many letters `A`…`Z` and nothing else.
    func isCapitals(_ count: Int) -> Bool {
        utf8.count == count && utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
}
