internal import CLibevdev
internal import Glibc
internal import WireText

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

    /// Watches a descriptor from now on.
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

    /// Watches a descriptor no more; closing does not end it where somebody else has a copy.
    func remove(_ watched: Int32) {
        _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, nil)
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
