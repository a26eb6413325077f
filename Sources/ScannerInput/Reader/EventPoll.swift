internal import CLibevdev
internal import Glibc
internal import WireText

/// Waits until one of several descriptors becomes readable (epoll, level-triggered).
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

    /// Watches a descriptor from now on; ``wait(milliseconds:)`` returns the token for it.
    func add(_ watched: Int32, token: UInt64) throws(SystemCallError) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: token))
        guard epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event) == 0 else {
            throw SystemCallError(operation: "epoll_ctl", errno: errno)
        }
    }

    /// Stops watching a descriptor.
    ///
    /// Closing it would not be enough if another process has a copy.
    func remove(_ watched: Int32) {
        _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, nil)
    }

    /// Waits until a descriptor is readable or the time is over.
    ///
    /// - Parameter milliseconds: How long at most; -1 for as long as it takes.
    /// - Returns: The tokens of the descriptors that are readable or broken.
    func wait(milliseconds: Int32) -> [UInt64] {
        let count = epoll_wait(
            descriptor, ready.baseAddress, Int32(ready.count), milliseconds)
        return ready[..<max(Int(count), 0)].map { $0.data.u64 }
    }

    /// The time to wait until a deadline, for ``wait(milliseconds:)``; -1 without a deadline.
    static func milliseconds(from now: Int64, until deadline: Int64?) -> Int32 {
        guard let deadline, deadline != .max else { return -1 }
        // Rounded up: waking too early would mean waking twice.
        return Int32(clamping: max(deadline - now, 0).later(by: 999) / 1_000)
    }
}

/// The clock of the events: `CLOCK_MONOTONIC`, in microseconds.
enum MonotonicClock {
    /// The number by which the kernel knows the clock.
    static let number = CLOCK_MONOTONIC

    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(number, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

extension Int64 {
    /// This time plus `microseconds`, or the latest possible time.
    func later(by microseconds: Int64) -> Int64 {
        let sum = addingReportingOverflow(microseconds)
        return sum.overflow ? .max : sum.partialValue
    }
}
