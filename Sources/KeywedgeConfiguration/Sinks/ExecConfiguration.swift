package import Sinks
import WireText

/// A command that events go to.
package struct ExecConfiguration: Equatable, Sendable {
    /// Its cursor, and which events it gets.
    package var durable = DurableSinkConfiguration()
    /// The command.
    package var settings: ExecSettings

    /// Makes a configuration with its defaults.
    ///
    /// - Parameter settings: The command.
    package init(_ settings: ExecSettings) { self.settings = settings }
}

extension ExecConfiguration {
    static let section = Section("exec", ExecConfiguration(ExecSettings(command: []))) {
        DurableSinkConfiguration.settings.map { $0.inside(\.durable) }
        Setting(
            "command", \.settings.command,
            .list(
                "a list such as [/usr/local/bin/on-scan]", of: .argument,
                nonEmpty: "at least a command", onOneLine: true),
            "The command and its arguments; no shell reads them.", needed: "a command")
        Setting(
            "timeout", \.settings.limit, .duration(in: .seconds(1) ... .seconds(3600)),
            "How long the command may take for an event.")
    } check: { exec, section in
        if exec.settings.command.first == "" {
            section.at(\.settings.command).report(expected: "a command", found: "an empty text")
        }
    }
}

extension Codec<String> {
    fileprivate static let argument = text("a text without a NUL") { !$0.contains("\0") }
}
