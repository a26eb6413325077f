import Glibc
import WireText

/// Turns `SIGINT` and `SIGTERM` into calls, for a process whose main thread waits for something else.
public enum EndingSignals {
    private final class Watch {
        let onSignal: @Sendable (Int32) -> Void

        init(_ onSignal: @escaping @Sendable (Int32) -> Void) {
            self.onSignal = onSignal
        }
    }

    /// Keeps the signals from this thread and those it starts, and waits for them on another.
    ///
    /// - Parameter onSignal: Called on that thread with the number of each signal.
    /// - Throws: `SystemCallError` where there is no thread to be had.
    public static func watch(_ onSignal: @escaping @Sendable (Int32) -> Void) throws {
        var signals = ending
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let watch = Unmanaged.passRetained(Watch(onSignal))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                EndingSignals.wait(Unmanaged<Watch>.fromOpaque(pointer).takeRetainedValue())
                return nil
            }, watch.toOpaque())
        guard result == 0 else {
            watch.release()
            throw SystemCallError(operation: "pthread_create", errno: result)
        }
        pthread_detach(thread)
    }

    /// Whether a signal has come of which nobody was told yet.
    static var isPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return [SIGINT, SIGTERM].contains { sigismember(&pending, $0) == 1 }
    }

    private static func wait(_ watch: Watch) {
        var signals = ending
        var number: Int32 = 0
        while sigwait(&signals, &number) == 0 { watch.onSignal(number) }
    }

    private static var ending: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }
}
