import ArgumentParser
import Dispatch
import Glibc
import KeywedgeDaemon

/// The program's entry point, which parses the arguments and runs the command.
@main
enum Main {
    static func main() {
        // Occupy the descriptors of closed standard streams, so that no file opened later gets their output.
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", O_RDONLY)
        }
        // With SIGPIPE ignored, a write to a closed standard output throws an error, which ends the command quietly.
        signal(SIGPIPE, SIG_IGN)
        // Create the handover first, to release the scanners of an earlier run if the daemon does not start.
        let handover = ManagedHandover(environment: environmentVariable)
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

    /// Runs a command on Swift's thread pool, and returns the exit code.
    ///
    /// `SIGINT` and `SIGTERM` cancel the command; if it does not end within `grace`, the process exits. A command that
    /// completes despite a signal counts as successful.
    private static func runOnThePool(grace: DispatchTimeInterval) async -> Int32 {
        let work = Task {
            var command = try CommandLineTexts.command()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        }
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                work.cancel()
                // A command that waits for standard input does not notice that it is cancelled.
                DispatchQueue.global().asyncAfter(deadline: .now() + grace) { _exit(128 + number) }
            }
            source.resume()
            return (number, source)
        }
        defer { for (_, source) in sources { source.cancel() } }
        do {
            try await work.value
            return 0
        } catch is CancellationError {
            return 128 + (sources.first { $0.1.data > 0 }?.0 ?? SIGTERM)
        } catch {
            return Ending(error).report()
        }
    }
}

/// A command that runs on the main thread, without Swift's thread pool, and handles signals itself.
protocol TakesTheMainThread {}

/// A command that may need more than half a second to stop.
protocol StopsSlowly {
    var stopGrace: DispatchTimeInterval { get }
}
