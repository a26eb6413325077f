import ArgumentParser
import Dispatch
import Glibc
import KeywedgeDaemon

/// The process: reads the arguments, runs the command, maps the outcome to an exit code.
@main
enum Main {
    static func main() {
        // A write to a closed standard output fails, and ends the command quietly.
        signal(SIGPIPE, SIG_IGN)
        // Before anything that can fail: whatever ends the process before the daemon has started
        // gives the scanners of an earlier run back.
        let handover = ManagedHandover { name in getenv(name).map { String(cString: $0) } }
        var grace = DispatchTimeInterval.milliseconds(500)
        do {
            var command = try CommandLineTexts.command()
            if let daemon = command as? RunCommand {
                try daemon.run(handover)
                exit(0)
            }
            handover.release()
            if command is any TakesTheMainThread {
                try command.run()
                exit(0)
            }
            if let slow = command as? any StopsSlowly { grace = slow.stopGrace }
        } catch {
            handover.release()
            exit(Ending(error).report())
        }
        Task { [grace] in exit(await runOnThePool(grace: grace)) }
        dispatchMain()
    }

    /// Runs a command whose tasks have Swift's own threads; it may take `grace` to stop.
    private static func runOnThePool(grace: DispatchTimeInterval) async -> Int32 {
        do {
            try await Interruption.watch(grace: grace) {
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
