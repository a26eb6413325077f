import CMosquitto
import EvdevInput
import Events
import Glibc
import Synchronization
import WireText

/// Reads what a command prints, on a thread of its own, until the command has ended.
///
/// What the command has started may have the pipe open for longer: it is not waited for.
final class CommandLog: Sendable {
    private struct State {
        var isWritable = true
        var isFinished = false
        var whenFinished: CheckedContinuation<Void, Never>?
    }

    /// What the command writes to.
    let writing: Int32
    private let reading: Int32
    private let wakeup: Wakeup
    private let state = Mutex(State())
    private let show: @Sendable (String) -> Void

    /// Makes a pipe and reads it.
    ///
    /// - Parameter show: Is given the lines, escaped, on a thread of its own.
    /// - Throws: Where the kernel has nothing to give.
    init(_ show: @escaping @Sendable (String) -> Void) throws(SystemCallError) {
        wakeup = try Wakeup()
        var ends: [Int32] = [0, 0]
        guard cmosquitto_pipe(&ends) == 0 else {
            throw SystemCallError(operation: "pipe2", errno: errno)
        }
        reading = ends[0]
        writing = ends[1]
        self.show = show
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
        try WaitingThread.start { [self] in read() }
    }

    deinit {
        close(reading)
        closeWriting()
    }

    /// Closes our side of what the command writes to.
    func closeWriting() {
        let isOpen = state.withLock { state in
            defer { state.isWritable = false }
            return state.isWritable
        }
        if isOpen { close(writing) }
    }

    /// Waits until everything is shown that the command printed before it ended.
    func finish() async {
        wakeup.wake()
        await withCheckedContinuation { continuation in
            let isFinished = state.withLock { state in
                if !state.isFinished { state.whenFinished = continuation }
                return state.isFinished
            }
            if isFinished { continuation.resume() }
        }
    }

    private func read() {
        var output = CommandOutput()
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var isEnding = false
        while true {
            var waiting = [
                pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waiting, 2, isEnding ? 0 : -1) >= 0 || errno == EINTR else { break }
            // Once, so that one who prints for ever does not keep this thread for ever.
            let isLast = isEnding
            isEnding = isEnding || waiting[1].revents != 0
            let count = Glibc.read(reading, &buffer, buffer.count)
            if count > 0 {
                for line in output.take(buffer[..<count]) { show(line) }
                // One who prints for ever gets no more of the box than this.
                if output.isFull { usleep(1000) }
            } else if count == 0 || isLast {
                break
            }
            if isLast, output.isFull { break }
        }
        for line in output.finish() { show(line) }
        let waiting = state.withLock { state in
            state.isFinished = true
            return state.whenFinished.take()
        }
        waiting?.resume()
    }
}
