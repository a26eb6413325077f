internal import CLibevdev
internal import Glibc

/// Waits for any of several descriptors to become readable (epoll, level-triggered).
final class EventPoll {
    private let descriptor: Int32
    private var ready = [epoll_event](repeating: epoll_event(), count: 64)

    init() throws(SystemCallError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SystemCallError(call: "epoll_create1", number: errno) }
    }

    deinit {
        close(descriptor)
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
            throw SystemCallError(call: "epoll_ctl", number: errno)
        }
    }

    /// Waits.
    ///
    /// - Parameter milliseconds: How long at the most; -1 for as long as it takes.
    /// - Returns: The tokens of the descriptors that are readable or broken.
    func wait(milliseconds: Int32) -> [UInt64] {
        let count = epoll_wait(descriptor, &ready, Int32(ready.count), milliseconds)
        guard count > 0 else { return [] }
        return ready[..<Int(count)].map(\.data.u64)
    }
}
