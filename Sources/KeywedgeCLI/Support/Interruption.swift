import Dispatch
import Glibc

/// The command was told to stop by a signal.
struct Interrupted: Error {
    /// The signal's number.
    var signal: Int32
}

/// Turns `SIGINT` and `SIGTERM` into the cancellation of the command.
enum Interruption {
    /// How long a cancelled command may take to come to its end.
    private static let grace = DispatchTimeInterval.milliseconds(500)

    /// Runs `body`; a signal cancels it, and once it has come to its end, ``Interrupted`` is thrown.
    ///
    /// A command that ends by itself is not disturbed: one that finishes in spite of the signal, as
    /// a daemon does in good order, has succeeded.
    static func watch(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let work = Task { try await body() }
        let sources = [SIGINT, SIGTERM].map { number in
            Glibc.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                work.cancel()
                // A command that waits for standard input cannot be told.
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
