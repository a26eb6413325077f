internal import CLibevdev
internal import Glibc
import WireText

/// A thread of the operating system's, that takes no signals.
enum ReaderThread {
    private final class Work {
        let name: String
        let body: () -> Void

        init(_ name: String, _ body: @escaping () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: What the system calls it, of 15 characters at the most.
    ///   - body: What it does; the thread ends with it.
    /// - Throws: Where there is no thread to be had.
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
