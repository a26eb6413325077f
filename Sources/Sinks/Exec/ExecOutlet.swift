import Glibc
package import Journal
import Subprocess
import Synchronization
import SystemPackage
import WebAPI
import WireText

/// Gives each event to a command, on its standard input, and goes on when the command has taken it.
///
/// Nothing of an event is in the command's arguments or its environment.
package struct ExecOutlet: DurableOutlet {
    /// How long a command has to end by itself when it was asked to.
    static let grace = Duration.seconds(2)

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

    /// Runs the command for an event.
    ///
    /// - Parameter line: The event, without a line end.
    /// - Returns: How the command ended.
    /// - Throws: What keeps it from being run; `CancellationError`.
    package func run(_ line: [UInt8]) async throws -> ExecEnding {
        let input = try EventFile(line)
        let output = try CommandLog { [name, log] in log("\(name): \($0)") }
        let command = RunningCommand()
        let status = try await withThrowingTaskGroup(of: TerminationStatus?.self) { group in
            let descriptor = FileDescriptor(rawValue: input.descriptor)
            group.addTask { try await run(from: descriptor, to: output, as: command) }
            group.addTask {
                await endOvertime(of: command)
                return nil
            }
            var status: TerminationStatus?
            while status == nil, let next = try await group.next() { status = next }
            group.cancelAll()
            return status
        }
        await output.finish()
        if command.isOvertime { return .overtime(settings.limit) }
        return switch status {
        case .exited(let status): .exited(Int32(status))
        case .signaled(let number): .signalled(Int32(number))
        case nil: .signalled(0)
        }
    }

    private func run(
        from input: FileDescriptor, to output: CommandLog, as command: RunningCommand
    ) async throws -> TerminationStatus {
        defer { output.closeWriting() }
        let out = FileDescriptor(rawValue: output.writing)
        let result = try await Subprocess.run(
            configuration,
            input: .fileDescriptor(input, closeAfterSpawningProcess: false),
            output: .fileDescriptor(out, closeAfterSpawningProcess: false),
            error: .fileDescriptor(out, closeAfterSpawningProcess: false)
        ) { execution in
            command.begin(execution.processIdentifier.value)
            // From here on only the command has it open.
            output.closeWriting()
        }
        command.end()
        return result.terminationStatus
    }

    /// The command in a session of its own, so that what it starts can be ended with it.
    private var configuration: Subprocess.Configuration {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = [
            .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: Self.grace)
        ]
        let program = settings.command.first ?? ""
        return Subprocess.Configuration(
            executable: program.contains("/") ? .path(FilePath(program)) : .name(program),
            arguments: Arguments(Array(settings.command.dropFirst())), platformOptions: options)
    }

    /// Ends a command that takes too long: it is asked to, and then has no choice.
    private func endOvertime(of command: RunningCommand) async {
        let clock = EventLoopClock()
        guard (try? await clock.sleep(for: settings.limit)) != nil else { return }
        command.endOvertime(SIGTERM)
        guard (try? await clock.sleep(for: Self.grace)) != nil else { return }
        command.endOvertime(SIGKILL)
    }
}

/// A command that runs, with all that it started and that is still in its session.
private final class RunningCommand: Sendable {
    private struct State {
        var process: pid_t?
        var isOvertime = false
    }

    private let state = Mutex(State())

    /// Whether it took too long.
    var isOvertime: Bool { state.withLock { $0.isOvertime } }

    func begin(_ process: pid_t) { state.withLock { $0.process = process } }

    /// Notes that it ended; what it started and left behind after its time has no choice now.
    func end() {
        state.withLock { state in
            if let process = state.process, state.isOvertime { kill(-process, SIGKILL) }
            state.process = nil
        }
    }

    func endOvertime(_ number: Int32) {
        state.withLock { state in
            guard let process = state.process else { return }
            state.isOvertime = true
            kill(-process, number)
        }
    }
}
