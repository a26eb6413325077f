import ArgumentParser
import Glibc

/// The process: reads the arguments, runs the command, maps what happens to an exit code.
@main
enum Main {
    static func main() async {
        // A closed standard output is seen where it is written to, and ends the command quietly.
        signal(SIGPIPE, SIG_IGN)
        do {
            if try Keywedge.parseAsRoot() is any EndsOnSignals {
                try await run(Keywedge.parseAsRoot())
            } else {
                try await Interruption.watch { try await run(Keywedge.parseAsRoot()) }
            }
        } catch {
            exit(Ending(error).report())
        }
    }

    private static func run(_ command: any ParsableCommand) async throws {
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            var command = command
            try command.run()
        }
    }
}
