import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests that a daemon that cannot start prints one line that names the cause, exits with the documented code, and
/// leaves no files.
@Suite(.blocking, .timeLimit(.minutes(10))) struct StartFailureTests {
    struct Cause: Sendable, CustomTestStringConvertible {
        let name: String
        /// The configuration, in k.yaml.
        var configuration = Cause.whole
        /// A shell script that prepares the folder.
        var setup = ""
        /// The configuration of another daemon, which is already running.
        var beside: String?
        var arguments = "--config k.yaml"
        var code: Int32 = 1
        /// A part of the line that names the cause.
        let message: String

        static let whole = """
            catalog: {sources: []}
            journal: {file: journal.sqlite}
            listen: {socket: ./s}

            """

        var testDescription: String { name }
    }

    private static let causes = [
        Cause(
            name: "no configuration", arguments: "--config missing.yaml", message: "missing.yaml"),
        Cause(
            name: "unreadable configuration", setup: "ln -s loop.yaml loop.yaml",
            arguments: "--config loop.yaml", message: "loop.yaml"),
        Cause(name: "a folder for a configuration", arguments: "--config .", message: ".: read"),
        Cause(
            name: "configuration in another encoding", setup: #"printf 'a: \377' >k.yaml"#,
            message: "k.yaml:1: expected text in UTF-8"),
        Cause(name: "unknown key", configuration: "scaners: []", message: "scaners"),
        Cause(
            name: "no catalog at --catalog", arguments: "--config k.yaml --catalog no.sqlite",
            message: "no.sqlite"),
        Cause(
            name: "journal in use", beside: Cause.whole.replacing("./s", with: "./s2"),
            message: "in use by another keywedge"),
        Cause(
            name: "another file for a journal", setup: "echo a text >journal.sqlite",
            message: "is not a journal"),
        Cause(
            name: "a folder for a journal", setup: "mkdir journal.sqlite",
            message: "is not a journal"),
        Cause(
            name: "socket with a long path",
            configuration: Cause.whole.replacing(
                "./s", with: "./" + String(repeating: "s", count: 120)),
            message: "at most 107 bytes"),
        Cause(
            name: "no recording", arguments: "--config k.yaml --replay missing.keys",
            message: "missing.keys"),
        Cause(
            name: "unknown flag", arguments: "--config k.yaml --fsat", code: 2,
            message: "Unknown option '--fsat'"),
        Cause(
            name: "flag without another", arguments: "--config k.yaml --fast", code: 2,
            message: "--fast: expected --replay"),
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs the daemon in a folder of its own, and returns the files that it leaves there.
    private func start(_ cause: Cause) throws -> (run: CommandRun, left: Set<Substring>) {
        let path = folder.path("work")
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        for (name, text) in [("k.yaml", cause.configuration), ("beside.yaml", cause.beside ?? "")] {
            try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
        }
        _ = try folder.write("type \"1\\n\"\n", to: "one.keys")
        let beside =
            cause.beside == nil
            ? ""
            : """
            $KEYWEDGE run --config beside.yaml --replay ../one.keys >../beside.out 2>&1 &
            pids="$pids $!"
            until_true 'grep -qs keywedge.scan ../beside.out'
            """
        let run = try CommandRun.shell(
            """
            cd '\(path)'; pids=""; trap '[ -z "$pids" ] || kill $pids; wait' EXIT
            \(cause.setup)
            \(beside)
            find . | sort >../before
            timeout -s KILL 600 $KEYWEDGE run \(cause.arguments); code=$?
            find . | sort >../after
            exit $code
            """)
        func names(_ file: String) throws -> Set<Substring> {
            let text = try String(contentsOfFile: folder.path(file), encoding: .utf8)
            return Set(text.split(separator: "\n"))
        }
        return (run, try names("after").subtracting(try names("before")))
    }

    @Test(arguments: causes)
    func aStartThatFailsSaysWhyInOneLineAndLeavesNothing(cause: Cause) throws {
        let (run, left) = try start(cause)
        #expect(run.exitCode == cause.code)
        #expect(run.output == "")
        let lines = run.errors.split(separator: "\n")
        #expect(lines.first?.contains(cause.message) == true, "\(run.errors)")
        // After wrong usage, the command also prints the usage.
        #expect(cause.code == 2 || lines.count == 1, "\(lines)")
        #expect(left.isEmpty, "\(left)")
    }

    @Test func aSocketThatAnEarlierDaemonLeftBehindIsReplaced() throws {
        let run = try CommandRun.shell(
            """
            cd '\(folder.path("."))'
            cat >k.yaml <<'END'
            \(Cause.whole)
            END
            echo 'type "1\\n"' >one.keys
            python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("s")'
            $KEYWEDGE run --config k.yaml --replay one.keys >out & end_when out keywedge.scan TERM
            code=$?; [ ! -e s ] && exit $code
            """)
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    /// The configuration is a FIFO that a program opens but never writes to, so the start waits for it.
    ///
    /// The daemon must report why it ends, because an unhandled signal would give the same exit code.
    @Test func aStartThatIsStuckEndsOnASignal() throws {
        let run = try CommandRun.shell(
            """
            cd '\(folder.path("."))'; mkfifo k.yaml
            (exec >k.yaml; : >opened; exec sleep 600) &
            $KEYWEDGE run --config k.yaml & until_true '[ -e opened ]'
            kill -TERM $!; wait $!
            """)
        #expect(run.exitCode == 143)
        #expect(run.errors.contains("the start has not ended"), "\(run.errors)")
        #expect(run.output == "")
    }
}

/// Tests that a signal ends a daemon or a command while it reads a recording.
@Suite(.blocking, .timeLimit(.minutes(10))) struct ReplaySignalTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write("catalog: {sources: []}\n", to: "k.yaml")
    }

    /// Makes a FIFO, and keeps it open for writing with `sleep`, because `tail -f` would end with its reader.
    ///
    /// The file `opened` appears when the FIFO is opened for reading.
    private static let fifo = """
        mkfifo f; (exec >f; : >opened; exec sleep 600) & writer=$!; trap 'kill $writer' EXIT
        """

    @Test(arguments: [("run --replay f", 0), ("run --fast --replay f", 0), ("replay f", 143)])
    func aRecordingThatNeverComesKeepsNoSignalWaiting(
        command: String, code: Int32
    ) throws {
        let isDaemon = command.hasPrefix("run")
        let run = try CommandRun.shell(
            """
            cd '\(folder.path("."))'; \(Self.fifo)
            $KEYWEDGE \(command) --config k.yaml >out &
            until_true '[ -e opened ]\(isDaemon ? " && grep -q keywedge.started out" : "")'
            kill -TERM $!; wait $!
            """)
        #expect(run.exitCode == code, "\(run.errors)")
        let events = try String(contentsOfFile: folder.path("out"), encoding: .utf8)
        #expect(events.contains("keywedge.stopping") == isDaemon)
    }

    /// The recording never ends.
    @Test func aFastRecordingKeepsNoSignalWaiting() throws {
        let run = try CommandRun.shell(
            """
            cd '\(folder.path("."))'; mkfifo f
            yes 'type "4006381333931\\n"' >f & writer=$!; trap 'kill $writer' EXIT
            $KEYWEDGE run --config k.yaml --fast --replay f >out &
            end_when out 4006381333931 TERM
            """)
        #expect(run.exitCode == 0, "\(run.errors)")
        let events = try String(contentsOfFile: folder.path("out"), encoding: .utf8)
        #expect(events.split(separator: "\n").last?.contains("keywedge.stopping") == true)
    }

    /// A scan becomes an event immediately, even if the recording is still being written.
    @Test func aScanIsNotHeldBackUntilMoreAreRead() throws {
        let run = try CommandRun.shell(
            """
            cd '\(folder.path("."))'; mkfifo f
            (echo 'type "4006381333931\\n"'; sleep 600) >f & writer=$!; trap 'kill $writer' EXIT
            $KEYWEDGE run --config k.yaml --replay f >out & end_when out 4006381333931 TERM
            code=$?; grep -q 4006381333931 out && exit $code
            """)
        #expect(run.exitCode == 0, "\(run.errors)")
    }
}
