/// The keyboard layouts there is a key table for: the only place that decides it.
enum AvailableLayouts {
    /// The layouts' names.
    static let names = ["us"]

    /// Reads the name of an available layout.
    static func layout(_ reader: ConfigurationReader) -> String? {
        let expected = Words.either(names) + " (no other layout is available)"
        return reader.value(expected) { names.contains($0) ? $0 : nil }
    }
}
