import Foundation
import Synchronization

/// Registers without scanners, as many as wanted in one process, each with its journal and its sink.
///
/// It prints a line about all of them each second, and takes commands, a line each:
///
/// ```
/// pause      no register scans any more
/// scan       they do again
/// past N     the scans of N seconds that are over are put into each journal
/// window     how long acknowledgements took since the last time
/// words      what the sinks have said most
/// quit       ends all sinks in order
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
        default: say("# what is \(command)?")
        }
    }

    /// Prints a line, whole and at once.
    private static func say(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    /// What comes on standard input, up to `quit` or its end.
    private static func commands() -> AsyncStream<String> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine(), line != "quit" { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}

/// Something that is on or off, for all registers.
private final class Switch: Sendable {
    let isOn = Atomic(true)
}
