import Catalog
import Events
import Synchronization
import WebAPI

/// Runs what a daemon does, and then waits for what that leaves behind.
struct GracefulShutdown: Sendable {
    /// Where products were looked up: what was found may have to be written back.
    let sources: @Sendable () -> CatalogSources
    /// How long that may take at the end: the embedded catalog may be in another process's hands.
    var writeBackGrace = Duration.seconds(1)

    /// Runs to the end.
    ///
    /// - Parameters:
    ///   - loop: Runs the tasks, on this thread.
    ///   - grace: How long it may take after a signal, all together.
    ///   - onSignal: Asks the work to come to its end.
    ///   - work: The work.
    /// - Returns: What is left undone.
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

    /// How far it has come, on its way out of the task.
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
                // A signal to a whole pipeline ends whoever reads it as well, and sooner.
                if case OutputError.closed = error, !isAskedFor { return .abandoned }
                throw error
            }
            guard state.isPublished else { return .unpublished }
            return unwritten > 0 ? .notWrittenBack(products: unwritten) : .complete
        }
    }
}
