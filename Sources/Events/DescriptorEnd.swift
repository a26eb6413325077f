import Glibc
package import WireText

/// Tells when whoever reads a pipe or a socket has gone, before anything more is written to it.
enum DescriptorEnd {
    /// Calls `body` once nobody reads a descriptor any more.
    ///
    /// A pipe shows that when its last reader closes it, a socket when the other side closes it. A file
    /// has no reader, and a terminal tells its end by a signal: both are left alone.
    ///
    /// - Parameters:
    ///   - descriptor: What is written to; it stays open.
    ///   - body: What to do, on a thread of its own, which waits for nothing else.
    /// - Returns: Whether the descriptor is one that tells.
    /// - Throws: Where there is no thread to be had.
    static func watch(
        _ descriptor: Int32, _ body: @escaping @Sendable () -> Void
    ) throws(SystemCallError) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0,
            [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
        else { return false }
        try WaitingThread.start {
            if waitForEnd(of: descriptor) { body() }
        }
        return true
    }

    private static func waitForEnd(of descriptor: Int32) -> Bool {
        // Errors and hangups are told without being asked for.
        var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
        while poll(&waiting, 1, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return Int32(waiting.revents) & (POLLERR | POLLHUP) != 0
    }
}

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
