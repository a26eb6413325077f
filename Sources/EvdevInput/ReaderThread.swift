internal import CLibevdev
internal import Glibc
import WireText

/// A thread of the operating system's, that takes no signals.
enum ReaderThread {
    private final class Work {
        let body: () -> Void

        init(_ body: @escaping () -> Void) {
            self.body = body
        }
    }

    /// Starts a thread.
    ///
    /// - Parameter body: What it does; the thread ends with it.
    /// - Throws: Where there is no thread to be had.
    static func start(_ body: sending @escaping () -> Void) throws(SystemCallError) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
                var all = sigset_t()
                sigfillset(&all)
                pthread_sigmask(SIG_BLOCK, &all, nil)
                clibevdev_name_this_thread("scanner-reader")
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
