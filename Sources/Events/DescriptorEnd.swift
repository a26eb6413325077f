import Glibc
import WireText

/// Detects, without writing, that the reader of a pipe or socket has gone.
enum DescriptorEnd {
    /// Calls `body` when the descriptor's last reader has gone.
    ///
    /// A pipe reports this when its last reader closes it, and a socket when its peer closes it. Files and terminals
    /// are not watched: a file has no reader, and the end of a terminal arrives as a signal.
    ///
    /// - Returns: Whether the descriptor is watched.
    /// - Throws: `SystemCallError` if no thread can be started.
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
        // `poll` always reports errors and hangups.
        var waiting = pollfd(fd: descriptor, events: 0, revents: 0)
        while poll(&waiting, 1, -1) < 0 {
            guard errno == EINTR else { return false }
        }
        return Int32(waiting.revents) & (POLLERR | POLLHUP) != 0
    }
}
