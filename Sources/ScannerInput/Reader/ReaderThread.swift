internal import CLibevdev
internal import Glibc
import WireText

/// Starts operating-system threads, which receive no signals.
enum ReaderThread {
    private final class Work {
        let name: String
        let body: () -> Void

        init(_ name: String, _ body: @escaping () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a thread, which ends with `body`; its name in the system has 15 characters at most.
    ///
    /// - Throws: If the system has no thread left.
    static func start(
        _ name: String, _ body: sending @escaping () -> Void
    ) throws(SystemCallError) {
        let work = Unmanaged.passRetained(Work(name, body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
                clibevdev_name_this_thread(work.name)
                work.body()
                return nil
            }, work.toOpaque())
        guard result == 0 else {
            work.release()
            throw SystemCallError(operation: "pthread_create", errno: result)
        }
        pthread_detach(thread)
    }
}
