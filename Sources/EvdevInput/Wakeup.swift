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

/// Waits for any of several descriptors to become readable (epoll, level-triggered).
final class EventPoll {
    private let descriptor: Int32
    private let ready = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 64)

    init() throws(SystemCallError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        ready.initialize(repeating: epoll_event())
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "epoll_create1", errno: errno)
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        ready.deallocate()
    }

    /// Watches a descriptor from now on, until it is closed.
    ///
    /// - Parameters:
    ///   - watched: The descriptor.
    ///   - token: What `wait` returns for it.
    /// - Throws: Where the kernel has no room for it.
    func add(_ watched: Int32, token: UInt64) throws(SystemCallError) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: token))
        guard epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0 else {
            throw SystemCallError(operation: "epoll_ctl", errno: errno)
        }
    }

    /// Waits.
    ///
    /// - Parameter milliseconds: How long at the most; -1 for as long as it takes.
    /// - Returns: The tokens of the descriptors that are readable or broken, until it waits again.
    func wait(milliseconds: Int32) -> some Collection<UInt64> {
        let count = epoll_wait(
            descriptor, ready.baseAddress, Int32(ready.count), milliseconds)
        return ready[..<max(Int(count), 0)].lazy.map { $0.data.u64 }
    }
}
