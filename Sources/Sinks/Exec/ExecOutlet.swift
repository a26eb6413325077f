import Events
package import Journal
import WireText

package struct ExecSettings: Equatable, Sendable {
    /// The command, followed by its arguments; never empty, and not interpreted by a shell.
    package var command: [String]
    /// How long the command may run for one event.
    package var limit: Duration

    package init(command: [String], limit: Duration = .seconds(30)) {
        self.command = command
        self.limit = limit
    }
}

/// An outlet that runs a command for each event, with the event on the command's standard input.
///
/// Only one command runs at a time. Its arguments and environment contain no part of the event.
package struct ExecOutlet: DurableOutlet {
    /// The maximum number of output lines to log per event.
    static let mostLines = 20
    /// The maximum number of bytes to log from each line.
    private static let longestLine = 1024

    private let settings: ExecSettings
    private let log: @Sendable (String) -> Void

    /// Creates an outlet; `log` receives the first lines of each command's output, escaped.
    package init(_ settings: ExecSettings, log: @escaping @Sendable (String) -> Void) {
        self.settings = settings
        self.log = log
    }

    package func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome {
        await take(entries, at: name, settled: settled) { entry in
            do {
                return try await run(entry.line)
            } catch {
                return .later("it cannot be run: \(error)")
            }
        }
    }

    private var name: String { (settings.command.first ?? "").quoted(upTo: .max) }

    /// Runs the command for an event; `line` is the event's JSON, without a line feed at the end.
    ///
    /// - Throws: `SystemCallError` if the command cannot start; `CancellationError` if the task is cancelled first.
    package func run(_ line: [UInt8]) async throws -> OutletAnswer {
        let run = try await RunningCommand.run(
            settings.command, input: line + [UInt8(ascii: "\n")], limit: settings.limit)
        for line in Self.lines(of: run) { log("\(name): \(line)") }
        return OutletAnswer(run.ending)
    }

    /// Returns the first lines of the output, followed by `… and more` if there are more.
    private static func lines(of run: RunningCommand.Run) -> [String] {
        let all = run.output.split(separator: UInt8(ascii: "\n"))
        let shown = all.prefix(mostLines).map { line in
            let text = String(decoding: line.prefix(longestLine), as: UTF8.self)
            return Escaping.line.escaped(text) + (line.count > longestLine ? "…" : "")
        }
        return shown + (run.isCut || all.count > mostLines ? ["… and more"] : [])
    }
}

extension OutletAnswer {
    /// Creates an answer: exit code 0 accepts the event, and 65 (`EX_DATAERR`) refuses it.
    fileprivate init(_ ending: RunningCommand.Ending) {
        self =
            switch ending {
            case .exited(0): .settled(.taken)
            case .exited(65): .settled(.refused("the command ended with 65"))
            case .exited(let status): .later("it ended with \(status)")
            case .signalled(let number): .later("signal \(number) ended it")
            case .overtime(let limit):
                .later("it had not ended after \(limit.text), and was killed")
            }
    }
}
