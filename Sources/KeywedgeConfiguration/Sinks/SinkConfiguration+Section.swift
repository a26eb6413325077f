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
                    "Standard output."),
                Alternative(
                    "mqtt",
                    MQTTConfiguration.section.codec.map(
                        { .mqtt($0) }, { if case .mqtt(let mqtt) = $0 { mqtt } else { nil } }),
                    "An MQTT broker."),
                Alternative(
                    "webhook",
                    WebhookConfiguration.section.codec.map(
                        { .webhook($0) },
                        { if case .webhook(let webhook) = $0 { webhook } else { nil } }),
                    "A web server, by Standard Webhooks."),
                Alternative(
                    "exec",
                    ExecConfiguration.section.codec.map(
                        { .exec($0) }, { if case .exec(let exec) = $0 { exec } else { nil } }),
                    "A command."),
                Alternative(
                    "keyboard",
                    KeyboardConfiguration.section.codec.map(
                        { .keyboard($0) },
                        { if case .keyboard(let keyboard) = $0 { keyboard } else { nil } }),
                    "A keyboard of its own, which types scans on."),
            ], .one, isReported: false)
    } check: { _, section in
        if section.values.isEmpty {
            section.reader.report(expected: "a sink such as {stdout: {format: json}}")
        } else if section.count(\.self) > 1 {
            section.reader.report(
                expected: "one sink in each element of the list",
                found: "\(String(section.count(\.self)))")
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
        case .mqtt, .webhook, .exec, .keyboard: return nil
        }
    }
}

extension Codec<Bool> {
    fileprivate static let afterJournal = text(
        "journal", ["enum": ["journal"]], node: Node.init(word:),
        read: { $0 == "journal" ? true : nil }, write: { $0 ? "journal" : nil })
}

extension Codec<[SinkConfiguration]> {
    static let sinks: Self = {
        var codec = list(
            "a list such as [{stdout: {format: json}}]",
            of: SinkConfiguration.section.codec.map({ $0 }, { $0 }),
            nonEmpty: "at least one sink such as {stdout: {format: json}}", check: reportDuplicates)
        codec.schema = { [schema = codec.schema] in
            var object = schema(&$0)
            object.append(
                "allOf",
                .array(
                    ["stdout", "keyboard"].map { kind in
                        .object([
                            "contains": ["required": [.string(kind)]], "minContains": 0,
                            "maxContains": 1,
                        ])
                    }))
            return object
        }
        return codec
    }()

    /// Reports what there can be only one of, and two sinks with one place in the journal.
    private static func reportDuplicates(
        _ reader: ConfigurationReader, _ sinks: Items<SinkConfiguration>
    ) {
        let all = sinks.compactMap(\.value)
        let stdouts = all.count { if case .stdout = $0 { true } else { false } }
        if stdouts > 1 { reader.report(expected: "stdout once", found: "it \(stdouts) times") }
        let keyboards = all.count { if case .keyboard = $0 { true } else { false } }
        if keyboards > 1 {
            reader.report(expected: "keyboard once", found: "it \(keyboards) times")
        }
        var first: [String: ConfigurationReader] = [:]
        for (item, sink) in sinks {
            guard let name = sink?.durableName else { continue }
            if let earlier = first[name] {
                item.report(
                    expected: "a name that no other sink has",
                    found: "\(quoted: name), as on line \(earlier.tree.line)")
            }
            first[name] = first[name] ?? item
        }
    }
}
