import WireText

extension SinkConfiguration {
    fileprivate static let section = Section("sink", SinkConfiguration?.none) {
        Setting(
            \.self,
            oneOf: [
                Alternative(
                    "stdout", stdout.codec.map({ .stdout(format: $0) }, { $0?.format }),
                    "Standard output.")
            ], .one, isReported: false)
    } check: { _, section in
        if section.values.isEmpty {
            section.reader.report(expected: "a sink such as {stdout: {format: json}}")
        }
    }

    private static let stdout = Section("stdout", Format?.none) {
        Setting(
            "format", \.self, .choice,
            """
            json (one CloudEvents object a line), text, tsv or pretty; without it pretty on a \
            terminal and else json.
            """)
    }

    private var format: Format?? {
        switch self {
        case .stdout(let format): .some(format)
        }
    }
}

extension Codec<[SinkConfiguration]> {
    static let sinks = list(
        "a list such as [{stdout: {format: json}}]",
        of: SinkConfiguration.section.codec.map({ $0 }, { $0 }),
        nonEmpty: "at least one sink such as {stdout: {format: json}}", mostly: 1
    ) { reader, sinks in
        let count = sinks.count { $0.value != nil }
        if count > 1 { reader.report(expected: "stdout once", found: "it \(count) times") }
    }
}
