internal import CLibevdev
internal import Glibc
import WireText

/// Wakes a thread that waits in epoll, from any other.
final class Wakeup: Sendable {
    /// Becomes readable when it is time to wake up.
    let descriptor: Int32

    init() throws(SystemCallError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw SystemCallError(operation: "eventfd", errno: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Wakes the thread.
    func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout.size(ofValue: one))
    }
}
