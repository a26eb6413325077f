import CLinux
import EvdevInput
import Events
import Glibc
import WireText

/// A command in a session of its own, so that everything it starts can be ended with it.
///
/// Every process that keywedge starts is one of these. One thread reads what the command prints and waits
/// for its end: a library would use Swift's pool of threads, which wakes up once a second.
package struct RunningCommand {
    package enum Ending: Equatable, Sendable {
        case exited(Int32)
        case signalled(Int32)
        /// It exceeded its time, and was ended.
        case overtime(Duration)
    }

    private let process: pid_t
    /// Becomes readable when the command has ended.
    private let ending: Int32
    /// What the command prints.
    private let output: Int32

    /// Runs a command on a thread of its own, and ends it when the task is cancelled.
    ///
    /// `words` are the command, searched for in `PATH` unless it has a slash, and its arguments. `limit` is
    /// the time it may take. `read` gets its standard output and, with `readsErrors`, its standard error,
    /// on that thread.
    ///
    /// - Returns: How it ended, also after a cancellation.
    /// - Throws: If the command cannot be started; `CancellationError` if the task was cancelled before.
    package static func run(
        _ words: [String], input: [UInt8] = [], readsErrors: Bool = true, limit: Duration,
        _ read: @escaping @Sendable (ArraySlice<UInt8>) -> Void
    ) async throws -> Ending {
        let stop = try Wakeup()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                do {
                    try WaitingThread.start {
                        continuation.resume(
                            with: Result {
                                guard !stop.isAwake else { throw CancellationError() }
                                return try start(words, input: input, readsErrors: readsErrors)
                                    .wait(limit: limit, stop: stop, read)
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
        let input = try MemoryFile(input)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemCallError(operation: "pipe", errno: errno) }
        defer { close(ends[1]) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        do throws(SystemCallError) {
            let process = try spawn(words, input.descriptor, ends[1], readsErrors)
            return RunningCommand(process: process, ending: try watch(process), output: ends[0])
        } catch {
            close(ends[0])
            throw error
        }
    }

    private static func watch(_ process: pid_t) throws(SystemCallError) -> Int32 {
        let ending = clinux_process_descriptor(process)
        guard ending < 0 else { return ending }
        let error = SystemCallError(operation: "pidfd_open", errno: errno)
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
        throw error
    }

    private static func spawn(
        _ words: [String], _ input: Int32, _ output: Int32, _ readsErrors: Bool
    ) throws(SystemCallError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        if readsErrors {
            posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        clinux_close_from(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The daemon blocks some signals and ignores others; a command starts with the defaults.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | clinux_spawn_session
        posix_spawnattr_setflags(&attributes, flags)
        let arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let result = posix_spawnp(
            &process, words.first ?? "", &actions, &attributes, arguments, clinux_environment())
        guard result == 0 else {
            throw SystemCallError(operation: "posix_spawn", path: words.first, errno: result)
        }
        return process
    }

    /// Reads what the command prints until the command has ended.
    ///
    /// What it leaves running in the background may print for longer; nobody waits for that.
    func wait(
        limit: Duration, stop: Wakeup, _ read: (ArraySlice<UInt8>) -> Void
    ) -> Ending {
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
            // Without an event, `poll` leaves `revents` at 0.
            _ = poll(&waiting, 3, teardown.milliseconds(at: .now))
            if waiting[1].revents != 0 { printed.read(read) }
            if waiting[0].revents != 0 { break }
            let isAskedToStop = waiting[2].revents != 0
            if let signal = teardown.signal(at: .now, isAskedToStop: isAskedToStop) {
                kill(-process, signal)
            }
        }
        // A pipe holds no more than one reading.
        if !printed.isOver { printed.read(read) }
        // Ends what the command left behind; the process number is reused only after waitpid.
        if teardown.hasBegun { kill(-process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        if teardown.isOvertime { return .overtime(limit) }
        // The layout of a status: wait(2), WIFEXITED and WTERMSIG.
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    }
}

/// Which signal a command gets, and when.
struct CommandTeardown {
    /// A signal, and the time before it.
    private typealias Step = (wait: Duration, signal: Int32)

    /// On a request to stop, a command may finish the event it has: half a second costs less than an event
    /// that is booked twice.
    private static let onStop: [Step] = [(.milliseconds(500), SIGTERM), (.seconds(1), SIGKILL)]
    private static let onOvertime: [Step] = [(.zero, SIGTERM), (.seconds(2), SIGKILL)]

    /// When ``signal(at:isAskedToStop:)`` is due next; nil if never.
    private(set) var deadline: ContinuousClock.Instant?
    private(set) var isOvertime = false
    private var steps: ArraySlice<Step>?

    init(limit: Duration, now: ContinuousClock.Instant) { deadline = now + limit }

    /// Whether the command is being ended.
    var hasBegun: Bool { steps != nil }

    /// The time up to ``deadline``, as `poll` expects it.
    func milliseconds(at now: ContinuousClock.Instant) -> Int32 {
        guard let deadline else { return -1 }
        return Int32(clamping: max(0, Int64(now.duration(to: deadline) / .milliseconds(1)) + 1))
    }

    /// The signal that is due now.
    mutating func signal(at now: ContinuousClock.Instant, isAskedToStop: Bool) -> Int32? {
        func isDue() -> Bool { deadline.map { $0 <= now } ?? false }
        if steps == nil {
            isOvertime = isDue()
            guard isOvertime || isAskedToStop else { return nil }
            let all = isOvertime ? Self.onOvertime : Self.onStop
            steps = all[...]
            deadline = all.first.map { now + $0.wait }
        }
        guard isDue(), let step = steps?.popFirst() else { return nil }
        deadline = steps?.first.map { now + $0.wait }
        return step.signal
    }
}

/// A file without a name, in memory: a command's standard input.
///
/// It is complete before the command starts, so a command may leave it unread.
private struct MemoryFile: ~Copyable {
    let descriptor: Int32

    /// Makes a file that is open for reading from its start.
    init(_ bytes: [UInt8]) throws(SystemCallError) {
        descriptor = clinux_memory_file("keywedge-input")
        guard descriptor >= 0 else {
            throw SystemCallError(operation: "memfd_create", errno: errno)
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else {
                throw SystemCallError(operation: "write", errno: errno)
            }
            rest = rest.dropFirst(max(0, count))
        }
        lseek(descriptor, 0, SEEK_SET)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

private struct PrintedBytes {
    /// From here on each reading waits a moment, so that a command that prints without end uses little of
    /// the box.
    private static let plenty = 1 << 20

    /// Whether the other end of the pipe is closed.
    private(set) var isOver = false
    private let descriptor: Int32
    private var total = 0
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    init(descriptor: Int32) { self.descriptor = descriptor }

    mutating func read(_ take: (ArraySlice<UInt8>) -> Void) {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 {
            take(buffer[..<count])
            total += count
            if total > Self.plenty { usleep(1000) }
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            isOver = true
        }
    }
}
