import Foundation
import TestFolders
import Testing

/// A daemon that is fed from recordings, and `keywedge listen` beside it.
@Suite(.timeLimit(.minutes(2))) struct ListenCommandTests {
    /// Runs a script in a folder with a configuration, while a daemon plays a recording.
    private func run(_ script: String) throws -> CommandRun {
        let folder = try TemporaryFolder()
        let recording = CommandRun.projectFolder + "/examples/recordings/till-morning.keys"
        return try CommandRun.shell(
            """
            cd \(folder.path)
            cat >k.yaml <<'END'
            catalog: {sources: []}
            journal: {file: journal.sqlite}
            listen: {socket: s}
            END
            $KEYWEDGE run --config k.yaml --replay \(recording) --fast --format json >out & daemon=$!
            listen() { $KEYWEDGE listen --config k.yaml --timeout 60s "$@"; }
            expected=$($KEYWEDGE replay \(recording) --config k.yaml --format text | wc -l)
            \(script)
            result=$?
            kill $daemon
            wait $daemon || exit 9
            exit $result
            """)
    }

    @Test func whatIsListenedToIsWhatStandardOutputGets() throws {
        let run = try run(
            """
            listen --after oldest --types keywedge.scan --count $expected --format json >listened
            grep '"type":"keywedge.scan"' out | cmp - listened
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
    }

    @Test func aConsumerGoesOnWhereItStopped() throws {
        let run = try run(
            """
            listen --consumer till --after oldest --types keywedge.scan --count 2 --format json >listened
            listen --consumer till --types keywedge.scan --count $((expected - 2)) --format json >>listened
            grep '"type":"keywedge.scan"' out | cmp - listened
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
    }

    @Test func aCommandGetsEachEventUntilItTakesIt() throws {
        let run = try run(
            """
            cat >take <<'END'
            #!/bin/sh
            # Refuses each event once.
            read -r event
            if [ "$event" = "$(cat last 2>/dev/null)" ]; then echo "$event" >>taken; exit 0; fi
            echo "$event" >last
            exit 75
            END
            chmod +x take
            listen --consumer till --after oldest --types keywedge.scan --count 2 --exec ./take
            grep '"type":"keywedge.scan"' out | head -n 2 | cmp - taken
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
    }

    @Test func itTellsOnceThatThereIsNoDaemonAndWaits() throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun.shell(
            "$KEYWEDGE listen --config /dev/null --socket \(folder.path("s")) --count 1 --timeout 1s"
        )
        #expect(run.exitCode == 1)
        #expect(run.errors.components(separatedBy: "cannot be reached").count == 2)
        #expect(run.errors.contains("the time is up"))
    }
}
