import Foundation
import TestFolders
import TestWaiting
import Testing

/// A completed run of the built command.
struct CommandRun {
    let exitCode: Int32
    let output: String
    let errors: String

    var lines: [String] { output.split(separator: "\n").map(String.init) }

    /// Runs `keywedge` with `input` on standard input, and waits until it ends.
    init(_ arguments: String..., input: String = "") throws {
        try self.init(Self.binary, arguments, input: input)
    }

    init(arguments: [String], input: String = "") throws {
        try self.init(Self.binary, arguments, input: input)
    }

    /// The beginning of every script.
    ///
    /// `until_true CONDITION` waits until a command succeeds, for at most `Duration.patience`. `end_when FILE TEXT
    /// SIGNAL` waits until a file contains a text, then ends the command in the background with the signal. All
    /// background jobs end with the script.
    private static let prelude = """
        set -o pipefail
        trap 'kill $(jobs -p) 2>/dev/null' EXIT
        until_true() {
            local end=$((SECONDS + \(Duration.patience.components.seconds)))
            until eval "$1"; do [ $SECONDS -lt $end ] || return 1; sleep 0.05; done
        }
        end_when() { until_true "grep -qs '$2' '$1'"; kill -$3 $!; wait $!; }
        export -f until_true end_when

        """

    /// Runs a shell script in which `$KEYWEDGE` is the path of the command.
    static func shell(_ script: String, input: String = "") throws -> CommandRun {
        try CommandRun("/bin/bash", ["-c", prelude + script], input: input)
    }

    private init(_ executable: String, _ arguments: [String], input: String) throws {
        let folder = try TemporaryFolder()
        let (outputPath, errorPath) = (folder.path("output"), folder.path("errors"))
        let inputPath = try folder.write(input, to: "input")
        let inFolder = ["-c", #"cd "$0" && exec "$@""#, Self.projectFolder, executable]
        exitCode = try Self.spawn("/bin/sh", inFolder + arguments) { actions in
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, inputPath, O_RDONLY, 0)
            let flags = O_WRONLY | O_CREAT | O_TRUNC
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputPath, flags, 0o600)
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorPath, flags, 0o600)
        }
        output = try String(decoding: Data(contentsOf: URL(filePath: outputPath)), as: UTF8.self)
        errors = try String(decoding: Data(contentsOf: URL(filePath: errorPath)), as: UTF8.self)
    }

    /// Starts a process and waits for its end; if a signal ends it, the exit code is 128 plus the signal's number.
    private static func spawn(
        _ executable: String, _ arguments: [String],
        _ prepare: (inout posix_spawn_file_actions_t) -> Void
    ) throws -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        prepare(&actions)
        // A file that another test is writing must not stay open in the child, or it could not be executed.
        _ = Self.closeFrom(&actions, 3)
        var attributes = Self.attributesOfAShell()
        defer { posix_spawnattr_destroy(&attributes) }
        let environment = ["PATH=/usr/bin:/bin", "KEYWEDGE=\(binary)", "LC_ALL=C.UTF-8"]
        let argv = ([executable] + arguments).map { strdup($0) } + [nil]
        let envp = environment.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, executable, &actions, &attributes, argv, envp)
        try #require(failure == 0, "\(executable): \(String(cString: strerror(failure)))")
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 { try #require(errno == EINTR) }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// A function of glibc that Swift does not import.
    private static let closeFrom = unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"),
        to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self
    )

    /// Resets signals as a shell does for a command, because other tests may have blocked or ignored them.
    private static func attributesOfAShell() -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    /// The path of the built command, which is next to the tests' executable.
    static var binary: String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "keywedge").path()
    }

    /// The path of the folder that contains Package.swift.
    static var projectFolder: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path()
    }
}
