internal import CLibevdev
internal import Glibc
internal import WireText

/// An epoll instance that waits until one of several descriptors becomes readable (level-triggered).
final class EventPoll {
    private let descriptor: Int32
    private var ready = [epoll_event](repeating: epoll_event(), count: 64)

    init() throws(SystemCallError) {
        descriptor = try SystemCallError.check(
            "epoll_create1", nil, epoll_create1(Int32(EPOLL_CLOEXEC)))
    }

    deinit {
        close(descriptor)
    }

    /// Watches a descriptor; when it is readable, ``wait(milliseconds:)`` returns `token`.
    func add(_ watched: Int32, token: UInt64) throws(SystemCallError) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: token))
        try SystemCallError.check(
            "epoll_ctl", nil, epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event))
    }

    /// Stops watching a descriptor; closing it would not be enough if another process has a copy.
    func remove(_ watched: Int32) {
        _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, watched, nil)
    }

    /// Waits until a descriptor is readable or broken, for at most the given time (-1 for no limit); returns the tokens
    /// of up to 64 such descriptors, or no tokens if the time is up or a signal arrives.
    func wait(milliseconds: Int32) -> [UInt64] {
        let count = epoll_wait(descriptor, &ready, Int32(ready.count), milliseconds)
        return ready[..<max(Int(count), 0)].map { $0.data.u64 }
    }

    /// Returns the milliseconds to pass to ``wait(milliseconds:)``; -1 if there is no deadline.
    static func milliseconds(from now: Int64, until deadline: Int64?) -> Int32 {
        guard let deadline, deadline != .max else { return -1 }
        // Rounded up, because a thread that wakes too early has to wait again.
        return Int32(clamping: max(deadline - now, 0).later(by: 999) / 1_000)
    }
}

/// The clock for event timestamps: `CLOCK_MONOTONIC`, in microseconds.
enum MonotonicClock {
    static let number = CLOCK_MONOTONIC

    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(number, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }
}

extension SystemCallError {
    @discardableResult
    static func check(
        _ operation: String, _ path: String?, _ result: Int32
    ) throws(SystemCallError) -> Int32 {
        guard result < 0 else { return result }
        throw SystemCallError(operation: operation, path: path, errno: Glibc.errno)
    }
}

extension Int64 {
    /// Returns this time plus `microseconds`, or the latest possible time if the sum overflows.
    func later(by microseconds: Int64) -> Int64 {
        let sum = addingReportingOverflow(microseconds)
        return sum.overflow ? .max : sum.partialValue
    }
}
