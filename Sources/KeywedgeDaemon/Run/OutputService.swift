import Events
import Journal
import ServiceLifecycle

/// Releases the lines that standard output holds back, and writes what is left at the end.
struct OutputService: Service {
    let output: OutputSink
    /// The journal that lines wait for, if any.
    let journal: EventJournal?

    /// Releases each event once it is on disk, or once the journal drops it or keeps it in memory because the disk
    /// fails.
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
