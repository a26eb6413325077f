import Foundation
import Synchronization

/// Runs any number of registers without scanners in one process, each with its own journal and sink.
///
/// It prints a line about all registers each second, and reads commands from standard input, one per line:
///
/// ```
/// pause      stop making scans
/// scan       resume making scans
/// past N     add the scans of the last N seconds to each journal
/// window     print the delays of acknowledgements since the last `window`
/// words      print the sinks' most frequent notices since the last `words`
/// quit       stop all sinks and exit
/// ```
@main struct FleetWorkload {
    static func main() async throws {
        guard let options = Options(Array(CommandLine.arguments.dropFirst())) else {
            print(Options.usage)
            exit(2)
        }
        let meter = Meter()
        let scanning = Switch()
        let registers = try (options.first..<(options.first + options.count)).map {
            try SimulatedRegister(number: $0, options, meter)
        }
        say("{\"ready\": \(registers.count)}")
        await withTaskGroup(of: Void.self) { group in
            for register in registers {
                group.addTask {
                    await register.run { scanning.isOn.load(ordering: .relaxed) }
                }
            }
            group.addTask {
                while (try? await Task.sleep(for: .seconds(1))) != nil { say(meter.line()) }
            }
            for await command in commands() where command != "quit" {
                await obey(command, registers, meter, scanning)
            }
            group.cancelAll()
        }
    }

    private static func obey(
        _ command: String, _ registers: [SimulatedRegister], _ meter: Meter,
        _ scanning: Switch
    ) async {
        let words = command.split(separator: " ")
        switch words.first {
        case "pause": scanning.isOn.store(false, ordering: .relaxed)
        case "scan": scanning.isOn.store(true, ordering: .relaxed)
        case "past":
            let seconds = words.dropFirst().first.flatMap { Double($0) } ?? 0
            for register in registers { try? await register.makeUp(for: .seconds(seconds)) }
            say("{\"past\": \(seconds)}")
        case "window": say(meter.takeWindow())
        case "words": for line in meter.takeWords() { say("# \(line)") }
        default: say("# unknown command: \(command)")
        }
    }

    /// Prints a line in a single write.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// The lines of standard input, up to `quit` or the end.
    private static func commands() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine(), line != "quit" { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}

/// A switch that all registers share.
private final class Switch: Sendable {
    let isOn = Atomic(true)
}
