/// How many characters a scan may have, in a configuration file: `{min: 1, max: 4096}`.
enum LengthBounds {
    enum Key: String, CaseIterable {
        case min, max
    }

    /// The lengths that can be configured; a longer scan would only hold memory.
    static let possible = 1...65_536

    /// Reads bounds; a bound that is left out has its default.
    static func bounds(_ reader: ConfigurationReader) -> ClosedRange<Int>? {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        let standard = ScannerConfiguration(name: "").length
        var (low, high) = (standard.lowerBound, standard.upperBound)
        mapping.read(.min, into: &low) { $0.number(in: possible) }
        mapping.read(.max, into: &high) { $0.number(in: possible) }
        guard low <= high else {
            reader.report(expected: "a min of at most max", found: "min \(low) and max \(high)")
            return nil
        }
        return low...high
    }
}
