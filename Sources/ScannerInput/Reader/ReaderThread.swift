internal import CLibevdev
internal import Glibc
import WireText

/// Starts operating-system threads, which receive no signals.
enum ReaderThread {
    private final class Work {
        let body: () -> Void

        init(_ body: @escaping () -> Void) {
            self.body = body
        }
    }

    /// Starts a thread that runs `body` and then ends; the system keeps at most 15 characters of its name.
    static func start(
        _ name: String, _ body: sending @escaping () -> Void
    ) throws(SystemCallError) {
        let work = Unmanaged.passRetained(
            Work {
                clibevdev_name_this_thread(name)
                body()
            })
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            throw SystemCallError(operation: "pthread_create", errno: result)
        }
        pthread_detach(thread)
    }
}
