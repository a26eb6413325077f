import Catalog
import Events
import Synchronization
import WebAPI

/// Runs the daemon's work, and then stores the products that it found.
struct GracefulShutdown: Sendable {
    /// The catalogs; products that were found may have to be stored in the embedded one.
    let sources: @Sendable () -> CatalogSources
    /// How long that may take at the end: another process may have locked the embedded catalog.
    var writeBackGrace = Duration.seconds(1)

    /// Runs the work on this thread; `grace` limits all of it after a signal, and `onSignal` passes
    /// the signal to the work.
    ///
    /// - Throws: What the work throws.
    func run(
        on loop: MainLoop, grace: Duration, onSignal: @escaping @Sendable () async -> Void,
        work: @escaping @Sendable () async throws -> Void
    ) throws -> DaemonEnding {
        let progress = Progress()
        Task(executorPreference: loop) {
            do {
                try await work()
            } catch {
                progress.fail(error)
            }
            progress.publish()
            await sources().finish(within: writeBackGrace, clock: EventLoopClock())
            loop.finish()
        }
        _ = loop.run(grace: grace) {
            Task(executorPreference: loop) { await onSignal() }
        }
        return try progress.ending(
            unwritten: sources().unwrittenCount, isAskedFor: loop.wasSignalled)
    }

    /// How far the work has come.
    private final class Progress: Sendable {
        private struct State {
            var error: (any Error)?
            var isPublished = false
        }

        private let state = Mutex(State())
        func fail(_ error: any Error) { state.withLock { $0.error = error } }
        func publish() { state.withLock { $0.isPublished = true } }

        func ending(unwritten: Int, isAskedFor: Bool) throws -> DaemonEnding {
            let state = state.withLock { $0 }
            if let error = state.error {
                // A signal to a whole pipeline ends its reader as well, and sooner.
                if case OutputError.closed = error, !isAskedFor { return .abandoned }
                throw error
            }
            guard state.isPublished else { return .unfinished }
            return unwritten > 0 ? .notWrittenBack(products: unwritten) : .complete
        }
    }
}
