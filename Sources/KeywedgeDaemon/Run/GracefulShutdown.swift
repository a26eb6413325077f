import Events
import Synchronization

/// Runs the daemon's work until it finishes or a signal ends it.
enum GracefulShutdown {
    /// Runs the work on this thread; `grace` limits all of it after a signal, and `onSignal` passes
    /// the signal to the work.
    ///
    /// - Throws: The errors of the work.
    static func run(
        on loop: MainLoop, grace: Duration, onSignal: @escaping @Sendable () async -> Void,
        work: @escaping @Sendable () async throws -> Void
    ) throws -> DaemonEnding {
        let result = Mutex<Result<Void, any Error>?>(nil)
        Task(executorPreference: loop) {
            do {
                try await work()
                result.withLock { $0 = .success(()) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            loop.finish()
        }
        _ = loop.run(grace: grace) {
            Task(executorPreference: loop) { await onSignal() }
        }
        do {
            guard let result = result.withLock({ $0 }) else { return .unfinished }
            try result.get()
            return .complete
        } catch OutputError.closed where !loop.wasSignalled {
            // A signal to a whole pipeline ends its reader as well, and sooner.
            return .abandoned
        }
    }
}
