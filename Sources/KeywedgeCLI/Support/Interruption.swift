import Dispatch
import Glibc

/// A signal stopped the command.
struct Interrupted: Error {
    /// The signal's number.
    var signal: Int32
}

/// A command that needs longer than half a second to stop, as one does that ends a command of its own.
protocol StopsSlowly {
    /// How long it may take.
    var stopGrace: DispatchTimeInterval { get }
}

/// Turns `SIGINT` and `SIGTERM` into the cancellation of the command.
enum Interruption {
    /// Runs `body`; a signal cancels it, and once it has ended, ``Interrupted`` is thrown.
    ///
    /// A command that finishes in spite of the signal, as a daemon does in good order, has succeeded. One
    /// that has not ended after `grace` ends with the process.
    static func watch(
        grace: DispatchTimeInterval, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let work = Task { try await body() }
        let sources = [SIGINT, SIGTERM].map { number in
            Glibc.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                work.cancel()
                // A command that waits for standard input does not notice its cancellation.
                DispatchQueue.global().asyncAfter(deadline: .now() + grace) { _exit(128 + number) }
            }
            source.resume()
            return (number, source)
        }
        defer { for (_, source) in sources { source.cancel() } }
        do {
            try await work.value
        } catch is CancellationError {
            let number = sources.first { $0.1.data > 0 }?.0 ?? SIGTERM
            throw Interrupted(signal: number)
        }
    }
}
