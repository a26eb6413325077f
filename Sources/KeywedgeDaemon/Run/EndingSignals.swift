import Events
import Glibc

/// Turns `SIGINT` and `SIGTERM` into calls, for a process whose main thread waits for something else.
package enum EndingSignals {
    /// Keeps the signals from this thread and those it starts, and waits for them on another.
    ///
    /// - Parameter onSignal: Called on that thread with the number of each signal.
    /// - Throws: `SystemCallError` where there is no thread to be had.
    package static func watch(_ onSignal: @escaping @Sendable (Int32) -> Void) throws {
        var signals = ending
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        try WaitingThread.start {
            var signals = ending
            var number: Int32 = 0
            while sigwait(&signals, &number) == 0 { onSignal(number) }
        }
    }

    /// Whether a signal has come of which nobody was told yet.
    static var isPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return [SIGINT, SIGTERM].contains { sigismember(&pending, $0) == 1 }
    }

    private static var ending: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }
}
