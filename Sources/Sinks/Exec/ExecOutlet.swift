import EvdevInput
import Events
package import Journal
import WireText

/// Gives each event to a command, on its standard input, and goes on when the command has taken it.
///
/// Nothing of an event is in the command's arguments or its environment.
package struct ExecOutlet: DurableOutlet {
    private let settings: ExecSettings
    private let log: @Sendable (String) -> Void

    /// Makes an outlet.
    ///
    /// - Parameters:
    ///   - settings: The command.
    ///   - log: Is told what the command prints, a line at a time, escaped.
    package init(_ settings: ExecSettings, log: @escaping @Sendable (String) -> Void) {
        self.settings = settings
        self.log = log
    }

    /// Gives events to the command, one after the other.
    package func take(
        _ entries: [JournalEntry], settled: @escaping @Sendable (Int, Verdict) -> Void
    ) async -> TakeOutcome {
        for (index, entry) in entries.enumerated() {
            let ending: ExecEnding
            do {
                ending = try await run(entry.line)
            } catch {
                return Task.isCancelled ? .cancelled : .later("\(name) cannot be run: \(error)")
            }
            if Task.isCancelled, ending != .exited(0) { return .cancelled }
            guard let verdict = ending.verdict else { return .later("\(name): \(ending.text)") }
            settled(index, verdict)
        }
        return .all
    }

    private var name: String { (settings.command.first ?? "").quoted(upTo: .max) }

    /// Runs the command for an event, on a thread of its own.
    ///
    /// - Parameter line: The event, without a line end.
    /// - Returns: How the command ended, also where it was ended since the task was cancelled.
    /// - Throws: What keeps it from being run.
    package func run(_ line: [UInt8]) async throws -> ExecEnding {
        let cancelled = try Wakeup()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    try WaitingThread.start {
                        continuation.resume(with: Result { try run(line, cancelled) })
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            cancelled.wake()
        }
    }

    private func run(_ line: [UInt8], _ cancelled: Wakeup) throws -> ExecEnding {
        let input = try EventFile(line)
        let command = try RunningCommand.start(settings.command, input: input)
        return command.wait(atMost: settings.limit, cancelled: cancelled) { line in
            log("\(name): \(line)")
        }
    }
}
