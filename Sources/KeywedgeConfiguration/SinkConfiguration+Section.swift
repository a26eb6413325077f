import WireText
import Yams

extension SinkConfiguration {
    fileprivate static let section = Section("sink", SinkConfiguration?.none) {
        Setting(
            \.self,
            oneOf: [
                Alternative(
                    "stdout",
                    StandardOutputSettings.section.codec.map(
                        { .stdout(format: $0.format, isAfterJournal: $0.isAfterJournal) },
                        { $0.flatMap(StandardOutputSettings.init) }),
                    "Standard output.")
            ], .one, isReported: false)
    } check: { _, section in
        if section.values.isEmpty {
            section.reader.report(expected: "a sink such as {stdout: {format: json}}")
        }
    }

}

/// What stands under `stdout`.
private struct StandardOutputSettings {
    var format: SinkConfiguration.Format?
    var isAfterJournal = false

    static let section = Section("stdout", StandardOutputSettings()) {
        Setting(
            "format", \.format, .choice,
            """
            json (one CloudEvents object a line), text, tsv or pretty; without it pretty on a \
            terminal and else json.
            """)
        Setting(
            "after", \.isAfterJournal, .afterJournal,
            "journal: an event is written once it is on the disk; without it, at once.")
    }
}

extension StandardOutputSettings {
    init?(_ sink: SinkConfiguration) {
        switch sink {
        case .stdout(let format, let isAfterJournal):
            self.init(format: format, isAfterJournal: isAfterJournal)
        }
    }
}

extension Codec<Bool> {
    fileprivate static let afterJournal = text(
        "journal", ["enum": ["journal"]], node: Node.init(word:),
        read: { $0 == "journal" ? true : nil }, write: { $0 ? "journal" : nil })
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
