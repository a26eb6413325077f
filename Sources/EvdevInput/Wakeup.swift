internal import CLibevdev
internal import Glibc
internal import Keystrokes
package import WireText

/// Wakes a thread from any other: one that waits in epoll or `poll`, or one that waits here.
package final class Wakeup: Sendable {
    /// Becomes readable when it is time to wake up.
    package let descriptor: Int32

    /// Makes one that nobody waits for yet.
    ///
    /// - Throws: Where the kernel has no eventfd to give.
    package init() throws(SystemCallError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC))
        guard descriptor >= 0 else { throw SystemCallError(operation: "eventfd", errno: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Wakes the thread.
    package func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout.size(ofValue: one))
    }

    /// Waits until it is time to wake up; for one thread only.
    ///
    /// - Parameter limit: How long to wait at the most; nil for as long as it takes.
    package func wait(atMost limit: Duration? = nil) {
        if let limit {
            let milliseconds = Int32(clamping: max(limit.wholeMicroseconds, 0) / 1_000 + 1)
            var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&readable, 1, milliseconds) > 0 else { return }
        }
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
    }
}
