import CMosquitto
import EvdevInput
import Glibc
import WireText

/// A command that runs in a session of its own, so that what it starts can be ended with it.
///
/// It is for one thread, which reads what the command prints and waits until it has ended. No library runs it:
/// those that there are use Swift's pool of threads, from which on the daemon would wake up once a second.
struct RunningCommand {
    /// How long a command has to end by itself when it was asked to.
    static let grace = Duration.seconds(2)

    private let process: pid_t
    /// Becomes readable when the command has ended.
    private let ending: Int32
    /// What the command prints.
    private let output: Int32

    /// Starts a command, which somebody has to wait for.
    ///
    /// - Parameters:
    ///   - command: The command, looked for in `PATH` where it has no slash, and its arguments.
    ///   - input: Its standard input.
    /// - Returns: The command, to be waited for.
    /// - Throws: What keeps it from being run.
    static func start(
        _ command: [String], input: borrowing EventFile
    ) throws(SystemCallError) -> RunningCommand {
        var ends: [Int32] = [-1, -1]
        guard cmosquitto_pipe(&ends) == 0 else {
            throw SystemCallError(operation: "pipe2", errno: errno)
        }
        defer { close(ends[1]) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        do throws(SystemCallError) {
            let process = try spawn(command, input: input.descriptor, output: ends[1])
            return RunningCommand(
                process: process, ending: try watch(process), output: ends[0])
        } catch {
            close(ends[0])
            throw error
        }
    }

    /// What becomes readable when a process has ended.
    private static func watch(_ process: pid_t) throws(SystemCallError) -> Int32 {
        let ending = cmosquitto_process(process)
        guard ending < 0 else { return ending }
        let error = SystemCallError(operation: "pidfd_open", errno: errno)
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
        throw error
    }

    private static func spawn(
        _ command: [String], input: Int32, output: Int32
    ) throws(SystemCallError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        cmosquitto_close_from(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The daemon blocks signals and ignores some; a command begins without that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes,
            cmosquitto_spawn_session | Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let result = posix_spawnp(
            &process, command.first ?? "", &actions, &attributes, arguments,
            cmosquitto_environment())
        guard result == 0 else {
            throw SystemCallError(operation: "posix_spawn", path: command.first, errno: result)
        }
        return process
    }

    /// Reads what the command prints until it has ended; one that takes too long, or that nobody wants any
    /// more, is asked to end, and then has no choice.
    ///
    /// What the command has started and left behind may print for longer: it is not waited for.
    ///
    /// - Parameters:
    ///   - limit: How long the command may take.
    ///   - cancelled: Wakes this thread when nobody wants the command any more.
    ///   - show: Is given the lines that it prints, escaped.
    /// - Returns: How it ended. The command is gone then.
    func wait(
        atMost limit: Duration, cancelled: Wakeup, show: (String) -> Void
    ) -> ExecEnding {
        defer {
            close(ending)
            close(output)
        }
        var printed = PrintedLines(descriptor: output)
        var deadline: ContinuousClock.Instant? = .now.advanced(by: limit)
        var signals = [SIGKILL, SIGTERM]
        var isOvertime = false
        while true {
            let isLate = deadline.map { .now >= $0 } ?? false
            isOvertime = isOvertime || isLate && signals.count == 2
            var waiting = [
                pollfd(fd: ending, events: Int16(POLLIN), revents: 0),
                pollfd(fd: printed.isOver ? -1 : output, events: Int16(POLLIN), revents: 0),
                pollfd(
                    fd: signals.count == 2 ? cancelled.descriptor : -1, events: Int16(POLLIN),
                    revents: 0),
            ]
            let count = isLate ? 0 : poll(&waiting, 3, Self.milliseconds(until: deadline))
            if count > 0, waiting[1].revents != 0 { printed.read(show) }
            if count > 0, waiting[0].revents != 0 { break }
            if isLate || count > 0 && waiting[2].revents != 0, let signal = signals.popLast() {
                kill(-process, signal)
                deadline = signals.isEmpty ? nil : .now.advanced(by: Self.grace)
            }
        }
        printed.finish(show)
        // What it left behind after its time has no choice now; its number is still its own.
        if signals.count < 2 { kill(-process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        if isOvertime { return .overtime(limit) }
        // The layout of a status: wait(2), WIFEXITED and WTERMSIG.
        return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let rest = ContinuousClock.now.duration(to: deadline)
        return Int32(clamping: max(0, Int64(rest / .milliseconds(1)) + 1))
    }
}

/// Reads what a command prints, and no more of it than is shown.
private struct PrintedLines {
    /// Whether nobody prints any more.
    private(set) var isOver = false
    private let descriptor: Int32
    private var output = CommandOutput()
    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Reads what there is, once.
    mutating func read(_ show: (String) -> Void) {
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 {
            for line in output.take(buffer[..<count]) { show(line) }
            // One who prints for ever gets no more of the box than this.
            if output.isFull { usleep(1000) }
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            isOver = true
        }
    }

    /// Reads what the command printed before it ended, which a pipe has room for in one piece.
    mutating func finish(_ show: (String) -> Void) {
        if !isOver { read(show) }
        for line in output.finish() { show(line) }
    }
}
