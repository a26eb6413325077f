import Glibc
package import WireText

/// A thread that waits for something, so that no task's thread has to.
package enum WaitingThread {
    private final class Work {
        let body: () -> Void

        init(_ body: @escaping () -> Void) {
            self.body = body
        }
    }

    /// Starts a thread; it ends with `body`.
    ///
    /// - Parameter body: What it does.
    /// - Throws: Where there is no thread to be had; `body` is not called then.
    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
        let work = Unmanaged.passRetained(Work(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { pointer in
                guard let pointer else { return nil }
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
