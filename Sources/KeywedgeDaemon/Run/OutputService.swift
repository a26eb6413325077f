import Events
import Journal
import ServiceLifecycle

/// Releases the lines that standard output holds back, and writes the remaining ones when the daemon ends.
struct OutputService: Service {
    let output: OutputSink
    /// The journal that must store an event before its line is written; nil if there is no journal.
    let journal: EventJournal?

    /// Releases each event when it is on disk, when the journal drops it, or when a disk failure prevents storing it.
    ///
    /// - Throws: `OutputError`.
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
