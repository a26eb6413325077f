import ArgumentParser
import Dispatch
import Glibc

/// The process: reads the arguments, runs the command, maps what happens to an exit code.
@main
enum Main {
    static func main() {
        // A closed standard output is seen where it is written to, and ends the command quietly.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try CommandLineTexts.command()
            if command is any TakesTheMainThread {
                try command.run()
                exit(0)
            }
        } catch {
            exit(Ending(error).report())
        }
        Task { exit(await runOnThePool()) }
        dispatchMain()
    }

    /// Runs the command where its tasks have Swift's own threads.
    private static func runOnThePool() async -> Int32 {
        do {
            try await Interruption.watch {
                var command = try CommandLineTexts.command()
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            }
            return 0
        } catch {
            return Ending(error).report()
        }
    }
}
