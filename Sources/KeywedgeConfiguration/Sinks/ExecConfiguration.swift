package import Sinks
import WireText

/// The settings of a sink that passes events to a command.
package struct ExecConfiguration: SinkKind {
    package static let kind = "exec"
    package var durable = DurableSinkConfiguration()
    package var settings: ExecSettings

    package var journalSettings: DurableSinkConfiguration? { durable }
    package var needs: [SinkNeed] { settings.command.prefix(1).map(SinkNeed.program) }
    package var connected: String { "its command exists" }

    package func outlet(_ context: SinkContext) -> any DurableOutlet {
        ExecOutlet(settings, log: context.log)
    }

    static let section = Section(kind, Self(settings: ExecSettings(command: []))) {
        DurableSinkConfiguration.settings.map { $0.inside(\.durable) }
        Setting(
            "command", \.settings.command,
            .list(
                "a list such as [/usr/local/bin/on-scan]",
                of: .text("a text without a NUL") { !$0.contains("\0") },
                nonEmpty: "at least a command", onOneLine: true),
            "The command and its arguments; no shell reads them.", needed: "a command")
        Setting(
            "timeout", \.settings.limit, .duration(in: .seconds(1) ... .seconds(3600)),
            "How long the command may take for an event.")
    } check: { exec, section in
        if exec.settings.command.first == "" {
            section.at("command").report(expected: "a command", found: "an empty text")
        }
    }
}
