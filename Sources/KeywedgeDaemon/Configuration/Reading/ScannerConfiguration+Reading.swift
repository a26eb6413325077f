import EvdevInput

extension ScannerConfiguration {
    enum Key: String, CaseIterable {
        case name, match, layout, terminators
        case idleTimeout = "idle_timeout"
        case length, prefix, suffix, aim, keys
    }

    /// The pauses between keys that can end a scan.
    static let idleTimeouts: ClosedRange<Duration> = .milliseconds(1) ... .seconds(60)

    /// Reads a scanner; what is wrong is reported and has its default.
    init(reading reader: ConfigurationReader) {
        self.init(name: "")
        guard let mapping = ConfigurationMapping<Key>(reader) else { return }
        mapping.read(.name, into: &name, Self.name)
        mapping.read(.match, into: &match, DeviceMatch.init(reading:))
        mapping.read(.layout, into: &layout, AvailableLayouts.layout)
        mapping.read(.terminators, into: &terminators, TerminatorConfiguration.list)
        mapping.read(.idleTimeout, into: &idleTimeout) { $0.duration(in: Self.idleTimeouts) }
        mapping.read(.length, into: &length, LengthBounds.bounds)
        mapping.read(.prefix, into: &prefix) { $0.text("a text, \"\" for none") }
        mapping.read(.suffix, into: &suffix) { $0.text("a text, \"\" for none") }
        mapping.read(.aim, into: &aim) { $0.flag() }
        mapping.read(.keys, into: &keys, KeyConfiguration.map)
        if mapping[.name] == nil { reader.at("name").report(expected: "a name", found: "none") }
    }

    /// Reads a name that can stand in a URI's path as it is.
    private static func name(_ reader: ConfigurationReader) -> String? {
        let expected =
            "a name of a-z, 0-9, \".\", \"_\" and \"-\" that starts with a letter or digit"
        return reader.value(expected) { text in
            let starts = "abcdefghijklmnopqrstuvwxyz0123456789"
            guard let first = text.unicodeScalars.first, starts.unicodeScalars.contains(first),
                text.unicodeScalars.allSatisfy((starts + "._-").unicodeScalars.contains)
            else { return nil }
            return text
        }
    }
}
