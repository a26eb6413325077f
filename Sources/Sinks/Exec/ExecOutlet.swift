import Events
package import Journal
import WireText

/// How events are given to a command.
package struct ExecSettings: Equatable, Sendable {
    /// The command and its arguments, never empty; no shell reads them.
    package var command: [String]
    /// How long it may take for an event.
    package var limit: Duration

    package init(command: [String], limit: Duration = .seconds(30)) {
        self.command = command
        self.limit = limit
    }
}

/// Gives each event to a command, on its standard input, one after another.
///
/// Nothing of an event is in the command's arguments or its environment.
package struct ExecOutlet: DurableOutlet {
    /// How many lines of what a command prints are logged.
    static let mostLines = 20
    /// How many bytes of a line are logged.
    private static let longestLine = 1024

    private let settings: ExecSettings
    private let log: @Sendable (String) -> Void

    /// `log` gets what the command prints, a line at a time, escaped.
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

    /// Runs the command for an event; `line` has no line end.
    ///
    /// - Throws: If the command cannot be started; `CancellationError` if the task was cancelled before.
    package func run(_ line: [UInt8]) async throws -> OutletAnswer {
        let run = try await RunningCommand.run(
            settings.command, input: line + [UInt8(ascii: "\n")], limit: settings.limit)
        for line in Self.lines(of: run) { log("\(name): \(line)") }
        return OutletAnswer(run.ending)
    }

    /// The first lines that a command printed, escaped; empty ones are left out.
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
    /// Rule: sysexits.h, of which 65 is `EX_DATAERR`: a refusal that is about the event.
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
