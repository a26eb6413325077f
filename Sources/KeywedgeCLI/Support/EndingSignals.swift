import Glibc

/// Turns `SIGINT` and `SIGTERM` into a call, for a command that waits on the main thread.
enum EndingSignals {
    /// How long the command may take to come to its end after a signal, in microseconds: it may be
    /// writing to somebody who does not read.
    private static let grace: UInt32 = 500_000

    private final class Watch {
        let onSignal: @Sendable () -> Void

        init(_ onSignal: @escaping @Sendable () -> Void) {
            self.onSignal = onSignal
        }
    }

    /// Keeps the signals from this thread and those it starts, and calls `onSignal` for the first.
    static func watch(_ onSignal: @escaping @Sendable () -> Void) throws {
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
            throw Failure("pthread_create failed: \(String(cString: strerror(result)))")
        }
        pthread_detach(thread)
    }

    private static func wait(_ watch: Watch) {
        var signals = ending
        var number: Int32 = 0
        guard sigwait(&signals, &number) == 0 else { return }
        watch.onSignal()
        usleep(grace)
        _exit(128 + number)
    }

    private static var ending: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        return signals
    }
}
