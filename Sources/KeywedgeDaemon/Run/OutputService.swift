import Events
import Journal
import ServiceLifecycle

/// A service that releases held-back output lines once the journal has processed them, or at shutdown.
struct OutputService: Service {
    let output: OutputSink
    /// The journal that the held-back lines of `output` wait for; nil if the daemon has no journal.
    let journal: EventJournal?

    /// Allows the output to write an event's line once the journal has processed the event.
    func run() async throws {
        await withGracefulShutdownHandler {
            for await sequence in output.newest {
                _ = try? await journal?.settled(sequence)
                output.release(upTo: sequence)
            }
        } onGracefulShutdown: {
            output.close()
        }
        await output.finish()
        if let error = output.error { throw error }
    }
}
