internal import CLibevdev
internal import Glibc
internal import Keystrokes
internal import Synchronization
package import WireText

/// A queue of messages to a thread that waits in epoll.
final class Mailbox<Message: Sendable>: Sendable {
    private struct State {
        var messages: [Message] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    private let wakeup: Wakeup

    init() throws(SystemCallError) {
        wakeup = try Wakeup()
    }

    var descriptor: Int32 { wakeup.descriptor }

    /// Adds a message and wakes the receiver, or returns false if the mailbox is closed.
    @discardableResult
    func post(_ message: Message) -> Bool {
        let isOpen = state.withLock { state in
            if !state.isClosed { state.messages.append(message) }
            return !state.isClosed
        }
        wakeup.wake()
        return isOpen
    }

    func wake() { wakeup.wake() }

    /// Waits until ``descriptor`` is readable, and then removes and returns all messages.
    func receive() -> [Message] {
        wakeup.wait()
        return state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }

    /// Closes the mailbox and returns its remaining messages; later messages are dropped.
    @discardableResult
    func close() -> [Message] {
        state.withLock { state in
            defer { state = State(isClosed: true) }
            return state.messages
        }
    }
}

/// An eventfd with which any thread can wake a waiting thread.
package final class Wakeup: Sendable {
    /// A descriptor that becomes readable after ``wake()``.
    package let descriptor: Int32

    package init() throws(SystemCallError) {
        descriptor = try SystemCallError.check("eventfd", nil, eventfd(0, Int32(EFD_CLOEXEC)))
    }

    deinit {
        close(descriptor)
    }

    /// Whether ``wake()`` has been called since the last wait.
    package var isAwake: Bool { isAwake(within: 0) }

    private func isAwake(within milliseconds: Int32) -> Bool {
        var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&readable, 1, milliseconds) > 0
    }

    package func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout.size(ofValue: one))
    }

    /// Waits until ``wake()`` is called, for at most `limit`; only one thread may wait.
    package func wait(atMost limit: Duration? = nil) {
        if let limit, !isAwake(within: limit.pollTimeout) { return }
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
    }
}

extension Duration {
    /// The duration in milliseconds for `poll`, plus one so that `poll` never returns too early.
    package var pollTimeout: Int32 { Int32(clamping: max(wholeMicroseconds, 0) / 1_000 + 1) }
}
