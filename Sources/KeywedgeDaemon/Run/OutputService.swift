import Events
import Journal
import ServiceLifecycle

/// Lets standard output write each line when its event is on disk, and all remaining lines when the daemon ends.
struct OutputService: Service {
    let output: OutputSink
    /// The journal that must store an event before its line is written; nil if there is none.
    let journal: EventJournal?

    /// Releases each event's line after the journal has stored the event, dropped it, or failed to store it.
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
