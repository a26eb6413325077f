import Events
import Journal
import ServiceLifecycle

/// Releases the lines that standard output holds back, and writes what is left at the end.
struct OutputService: Service, CustomStringConvertible {
    let output: OutputSink
    /// What lines wait for; nil if there is none.
    let journal: EventJournal?

    /// See ``EndingStep/description``.
    var description: String { "standard output" }

    /// Releases an event once it is on the disk; also one that the journal gave up, or that waits
    /// in memory for a disk that fails.
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
