import Events
import Synchronization

enum GracefulShutdown {
    /// Runs `work` on this thread; after `SIGINT` or `SIGTERM`, calls `onSignal` and waits at most `grace` for `work`.
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
            // After a signal, a closed output is normal, because a signal to an entire pipeline also ends the reader.
            return .abandoned
        }
    }
}
