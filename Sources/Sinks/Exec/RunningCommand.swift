import CLinux
import Glibc
import ScannerInput
import WireText

/// A command that runs in its own session, so that a signal can end it and all processes that it starts.
///
/// keywedge starts every process with this type. Subprocess libraries would use Swift's thread pool, which then wakes
/// up every second, even when it is idle. A separate thread waits for each command.
package struct RunningCommand {
    package enum Ending: Equatable, Sendable {
        case exited(Int32)
        case signalled(Int32)
        /// The command was stopped because it exceeded this time limit.
        case overtime(Duration)
    }

    package struct Run: Sendable {
        package var ending: Ending
        /// The command's output; if it is longer than 1 MiB, only the first 1 MiB.
        package var output: [UInt8]
        /// Whether the command printed more than ``output`` contains.
        package var isCut: Bool
    }

    private let process: pid_t
    /// A process descriptor (pidfd), which becomes readable when the command ends.
    private let ending: Int32
    private let output: Int32

    /// Runs a command and waits for its end; stops it after `limit`, or if the task is cancelled.
    ///
    /// `words` are the command and its arguments; a command without a slash is looked up in `PATH`. If `readsErrors` is
    /// true, the output includes standard error.
    ///
    /// - Returns: The command's output and how it ended, even if the task is cancelled while the command runs.
    /// - Throws: `SystemCallError` if the command cannot start; `CancellationError` if the task is cancelled first.
    package static func run(
        _ words: [String], input: [UInt8] = [], readsErrors: Bool = true, limit: Duration
    ) async throws -> Run {
        let stop = try Wakeup()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    try WaitingThread.start {
                        continuation.resume(
                            with: Result {
                                guard !stop.isAwake else { throw CancellationError() }
                                return try start(words, input: input, readsErrors: readsErrors)
                                    .wait(limit: limit, stop: stop)
                            })
                    }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        } onCancel: {
            stop.wake()
        }
    }

    static func start(
        _ words: [String], input: [UInt8], readsErrors: Bool
    ) throws(SystemCallError) -> RunningCommand {
        // The input is a file, not a pipe, so that the command need not read it.
        let file = clinux_memory_file("keywedge-input")
        defer { close(file) }
        guard file >= 0, write(file, input, input.count) == input.count else {
            throw SystemCallError(operation: "memfd_create", errno: errno)
        }
        lseek(file, 0, SEEK_SET)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemCallError(operation: "pipe", errno: errno) }
        defer { close(ends[1]) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        do throws(SystemCallError) {
            let process = try spawn(words, file, ends[1], readsErrors ? ends[1] : -1)
            return RunningCommand(process: process, ending: try watch(process), output: ends[0])
        } catch {
            close(ends[0])
            throw error
        }
    }

    private static func spawn(
        _ words: [String], _ input: Int32, _ output: Int32, _ errors: Int32
    ) throws(SystemCallError) -> pid_t {
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let result = clinux_spawn(&process, arguments, input, output, errors)
        guard result == 0 else {
            throw SystemCallError(operation: "posix_spawn", path: words.first, errno: result)
        }
        return process
    }

    private static func watch(_ process: pid_t) throws(SystemCallError) -> Int32 {
        let ending = clinux_process_descriptor(process)
        guard ending < 0 else { return ending }
        let error = SystemCallError(operation: "pidfd_open", errno: errno)
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
        throw error
    }

    /// Waits until the command ends, but not for processes that the command leaves in the background.
    func wait(limit: Duration, stop: Wakeup) -> Run {
        defer {
            close(ending)
            close(output)
        }
        var printed = PrintedBytes(descriptor: output)
        var teardown = CommandTeardown(limit: limit, now: .now)
        while true {
            var waiting = [
                ending, printed.isOver ? -1 : output, teardown.hasBegun ? -1 : stop.descriptor,
            ].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            // If `poll` times out or fails, every `revents` is 0.
            let time = teardown.deadline.map { ContinuousClock.now.duration(to: $0) }
            _ = poll(&waiting, 3, time?.pollTimeout ?? -1)
            if waiting[1].revents != 0 { printed.read() }
            if waiting[0].revents != 0 { break }
            let isAskedToStop = waiting[2].revents != 0
            if let signal = teardown.signal(at: .now, isAskedToStop: isAskedToStop) {
                kill(-process, signal)
            }
        }
        // One read is enough, because a pipe holds no more than the buffer.
        if !printed.isOver { printed.read() }
        // Kill the processes that the command left behind; its process number cannot be reused before `waitpid`.
        if teardown.hasBegun { kill(-process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        // For the layout of a status, see WIFEXITED and WTERMSIG in wait(2).
        let signal = status & 0x7F
        let ending: Ending = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
        return Run(
            ending: teardown.isOvertime ? .overtime(limit) : ending, output: printed.kept,
            isCut: printed.total > printed.kept.count)
    }
}

/// The plan for ending a command: which signals to send, and when.
struct CommandTeardown {
    typealias Instant = ContinuousClock.Instant

    private(set) var isOvertime = false
    private let end: Instant
    /// The signals still to send, and their times; nil until the teardown begins.
    private var steps: [(time: Instant, signal: Int32)]?

    init(limit: Duration, now: Instant) { end = now + limit }

    var hasBegun: Bool { steps != nil }

    /// When to call ``signal(at:isAskedToStop:)`` next; nil if no signal is left to send.
    var deadline: Instant? { steps.map { $0.first?.time } ?? end }

    /// Returns the signal to send now, or nil.
    ///
    /// After a stop request, the command gets half a second to finish, so that its event need not be sent again.
    mutating func signal(at now: Instant, isAskedToStop: Bool) -> Int32? {
        if steps == nil, isAskedToStop || now >= end {
            isOvertime = now >= end
            let term = isOvertime ? now : now + .milliseconds(500)
            let kill = term + .seconds(isOvertime ? 2 : 1)
            steps = [(term, SIGTERM), (kill, SIGKILL)]
        }
        guard let step = steps?.first, step.time <= now else { return nil }
        steps?.removeFirst()
        return step.signal
    }
}

/// A command's output, of which only the beginning is kept.
private struct PrintedBytes {
    /// The maximum number of bytes of output to keep.
    ///
    /// Beyond this limit, a short pause follows each read, so that endless output takes little processor time.
    private static let most = 1 << 20

    private(set) var kept: [UInt8] = []
    private(set) var total = 0
    /// Whether the command's end of the pipe is closed, or reading has failed.
    private(set) var isOver = false
    private let descriptor: Int32
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    init(descriptor: Int32) { self.descriptor = descriptor }

    mutating func read() {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 {
            kept += buffer[..<min(count, Self.most - kept.count)]
            total += count
            if total > Self.most { usleep(1000) }
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            isOver = true
        }
    }
}
