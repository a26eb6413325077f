import Foundation
import Synchronization
import TestWaiting
import Testing

/// A program that runs during a test, and ends when this value is destroyed.
final class TestProcess: Sendable {
    private let pid: pid_t
    private let hasEnded = Mutex(false)

    /// Starts a program, whose output goes to a file.
    ///
    /// The program is killed after twenty minutes, even if the test itself is killed earlier.
    ///
    /// - Parameters:
    ///   - arguments: The program and its arguments.
    ///   - output: The file for standard output and standard error.
    /// - Throws: An error if the program cannot be started.
    init(_ arguments: [String], output: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        let flags = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        // No test waits for the program this long.
        let end = String((Duration.patience * 2).components.seconds)
        let bounded = ["timeout", "--foreground", "-s", "KILL", end] + arguments
        let argv = bounded.map { strdup($0) } + [nil]
        let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8"]
        let envp = environment.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid: pid_t = 0
        let failure = posix_spawnp(&pid, "timeout", &actions, &attributes, argv, envp)
        try #require(failure == 0, "\(arguments): \(String(cString: strerror(failure)))")
        self.pid = pid
    }

    deinit { end(SIGKILL) }

    /// Sends a signal to the program and waits for its end.
    func end(_ signal: Int32) {
        hasEnded.withLock { hasEnded in
            guard !hasEnded else { return }
            // `timeout` cannot forward all signals, so its child gets the signal directly.
            let children = try? String(
                contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
            let child = (children ?? "").split(separator: " ").first.flatMap { pid_t($0) }
            kill(child ?? pid, signal)
            wait()
            hasEnded = true
        }
    }

    /// Waits until the process ends on its own.
    func finish() {
        hasEnded.withLock { hasEnded in
            if !hasEnded { wait() }
            hasEnded = true
        }
    }

    private func wait() {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }
}

/// Waits for a condition like `waitUntil`, but returns false instead of throwing if it never becomes true.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    do {
        try await waitUntil("a condition", condition)
        return true
    } catch {
        return try await condition()
    }
}
