import WireText

/// How events are given to a command.
package struct ExecSettings: Equatable, Sendable {
    /// The command and its arguments; no shell reads them.
    package var command: [String]
    /// How long it may take for an event.
    package var limit: Duration

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - command: The command and its arguments; at least the command.
    ///   - limit: How long it may take for an event.
    package init(command: [String], limit: Duration = .seconds(30)) {
        self.command = command
        self.limit = limit
    }
}
