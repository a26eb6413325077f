extension SinkConfiguration {
    enum Key: String, CaseIterable {
        case stdout
    }

    enum StdoutKey: String, CaseIterable {
        case format
    }

    /// Reads the list of sinks.
    static func list(_ reader: ConfigurationReader) -> [Self]? {
        guard let items = reader.list("a list such as [{stdout: {format: json}}]") else {
            return nil
        }
        guard !items.isEmpty else {
            reader.report(expected: "at least one sink such as {stdout: {format: json}}")
            return nil
        }
        let sinks = items.compactMap(one)
        if sinks.count > 1 {
            reader.report(expected: "stdout once", found: "it \(sinks.count) times")
        }
        return sinks
    }

    private static func one(_ reader: ConfigurationReader) -> Self? {
        guard let mapping = ConfigurationMapping<Key>(reader) else { return nil }
        if mapping.isEmpty { reader.report(expected: "a sink such as {stdout: {format: json}}") }
        guard let settings = mapping[.stdout].flatMap(ConfigurationMapping<StdoutKey>.init) else {
            return nil
        }
        return .stdout(format: settings[.format].flatMap { $0.choice(Format.self) })
    }
}
