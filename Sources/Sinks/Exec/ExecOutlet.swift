import Events
package import Journal
import Synchronization
import WireText

/// How events are given to a command.
package struct ExecSettings: Equatable, Sendable {
    /// The command and its arguments, at least the command; no shell reads them.
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
        for (index, entry) in entries.enumerated() {
            guard !Task.isCancelled else { return .cancelled }
            let reason: String
            do {
                let ending = try await run(entry.line)
                if let verdict = ending.verdict {
                    settled(index, verdict)
                    continue
                }
                reason = ending.text
            } catch {
                reason = "it cannot be run: \(error)"
            }
            return Task.isCancelled ? .cancelled : .later("\(name): \(reason)")
        }
        return .all
    }

    private var name: String { (settings.command.first ?? "").quoted(upTo: .max) }

    /// Runs the command for an event, which has no line end.
    ///
    /// - Throws: What ``RunningCommand/run(_:input:reading:limit:_:)`` throws.
    package func run(_ line: [UInt8]) async throws -> RunningCommand.Ending {
        let output = Mutex(CommandOutput())
        let log: @Sendable ([String]) -> Void = { [log, name] lines in
            for line in lines { log("\(name): \(line)") }
        }
        defer { log(output.withLock { $0.finish() }) }
        return try await RunningCommand.run(
            settings.command, input: line + [UInt8(ascii: "\n")], limit: settings.limit
        ) { bytes in
            log(output.withLock { $0.add(bytes) })
        }
    }
}

extension RunningCommand.Ending {
    /// What becomes of the event that the command was given; nil if it is given again.
    ///
    /// Rule: sysexits.h, of which 65 is `EX_DATAERR`: a refusal that is about the event.
    package var verdict: Verdict? {
        switch self {
        case .exited(0): .taken
        case .exited(65): .refused("the command ended with 65")
        case .exited, .signalled, .overtime: nil
        }
    }

    /// How the command ended, in words.
    package var text: String {
        switch self {
        case .exited(let status): "it ended with \(status)"
        case .signalled(let number): "signal \(number) ended it"
        case .overtime(let limit): "it had not ended after \(limit.text), and was killed"
        }
    }
}

/// The first lines that a command prints, for the log.
struct CommandOutput: Equatable, Sendable {
    /// How many bytes of a line are shown.
    static let longestLine = 1024
    /// How many lines are shown.
    static let mostLines = 20

    private var line: [UInt8] = []
    private var isCut = false
    private var lineCount = 0
    private var hiddenCount = 0

    /// Adds what was printed; returns the lines to show, escaped.
    mutating func add(_ bytes: some Sequence<UInt8>) -> [String] {
        var shown: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                if let text = endLine() { shown.append(text) }
            } else if lineCount >= Self.mostLines || line.count == Self.longestLine {
                hiddenCount += 1
                isCut = true
            } else {
                line.append(byte)
            }
        }
        return shown
    }

    /// Ends the output; returns what is left to show: a last line without an end, and how much is hidden.
    mutating func finish() -> [String] {
        var shown = line.isEmpty ? [] : [endLine()].compactMap(\.self)
        if hiddenCount > 0 { shown.append("… and \(hiddenCount.counted("byte")) more") }
        return shown
    }

    private mutating func endLine() -> String? {
        defer {
            line = []
            isCut = false
            lineCount += 1
        }
        guard lineCount < Self.mostLines, !line.isEmpty else { return nil }
        return Escaping.line.escaped(String(decoding: line, as: UTF8.self)) + (isCut ? "…" : "")
    }
}
