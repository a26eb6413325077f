internal import Glibc

/// Functions that start threads for work that would otherwise block Swift's cooperative thread pool.
package enum WaitingThread {
    private final class Work {
        let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    /// Starts a thread that runs `body` and then ends.
    ///
    /// - Throws: `SystemCallError` if no thread can be started; in that case, `body` is not called.
    package static func start(_ body: sending @escaping () -> Void) throws(SystemCallError) {
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
