import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests `keywedge status` with a daemon that plays a recording.
@Suite(.blocking, .timeLimit(.minutes(10))) struct StatusCommandTests {
    private static let recording =
        CommandRun.projectFolder + "/examples/recordings/till-morning.keys"

    /// Runs a script while a daemon runs that has played the recording.
    private func run(_ script: String, sink: String = "/bin/true") throws -> CommandRun {
        let folder = try TemporaryFolder()
        return try CommandRun.shell(
            """
            cd \(folder.path)
            cat >k.yaml <<'END'
            catalog: {sources: [{embedded: catalog.sqlite}]}
            journal: {file: journal.sqlite}
            listen: {socket: s}
            scanners: [{name: counter, match: {vendor: "0c2e", product: "0b61"}}]
            events: [{exec: {name: erp, command: ["\(sink)"]}}]
            END
            $KEYWEDGE catalog import --config k.yaml \\
                \(CommandRun.projectFolder)/examples/catalog.csv 2>&1 | tail -n 1 >imported
            $KEYWEDGE run --config k.yaml --replay \(Self.recording) --fast --format json >out 2>said &
            daemon=$!
            status() { $KEYWEDGE status --config k.yaml "$@"; }
            $KEYWEDGE replay \(Self.recording) --config k.yaml --format json >expected
            $KEYWEDGE listen --config k.yaml --timeout 600s --after oldest --consumer till \\
                --types keywedge.scan,keywedge.scan.rejected --count $(wc -l <expected) >/dev/null
            has() { status --json | jq -e "$1" >/dev/null; }
            until_json() { until_true "has '$1'" || { status --json >&2; return 1; }; }
            \(script)
            result=$?
            kill $daemon
            wait $daemon || exit 9
            exit $result
            """)
    }

    @Test func aPersonReadsWhatIsWrongAtOneGlance() throws {
        let run = try run(
            """
            until_json '.consumers[0].lag_events == 0 and .sinks[0].lag_events == 0' || exit 3
            # While the journal is busy, the status may lack the number of its events.
            until_true 'status >told && grep -q "till: nothing waits" told'; cat told
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        let titles = run.lines.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != " " } }
        #expect(
            titles == [
                "register", "interface", "scanners", "catalog", "journal", "sinks", "consumers",
            ])
        #expect(run.output.contains("/s: ready\n"))
        #expect(run.output.contains("counter (keyboard): not held; 11 scans"))
        #expect(run.output.contains("1 torn"))
        #expect(run.output.contains("keys were lost 1 time"))
        #expect(run.output.contains("embedded: ready; "))
        #expect(run.output.contains(" products, changed "))
        #expect(run.output.contains("journal.sqlite: open; "))
        #expect(run.output.contains("erp: ok; nothing waits"))
        #expect(run.output.contains("till: nothing waits"))
        #expect(!run.output.contains("4006381333931"))
    }

    @Test func programsGetTheDaemonsBytes() throws {
        let run = try run(
            """
            until_json '.consumers[0].lag_events == 0 and .sinks[0].lag_events == 0'
            # The status may change between the two requests, or lack the number of events while the journal is busy.
            are_same() {
                status --json >one
                curl -sS --unix-socket s http://localhost/v1/status >two
                for file in one two; do
                    jq -S 'del(.time, .streams) | del(.. | .age_s?, .lag_s?)' $file >$file.same
                done
                cmp -s one.same two.same && jq -e '.journal.events > 10' one >/dev/null
            }
            until_true are_same || diff one.same two.same
            jq -r '.journal.state, (.journal.events > 10)' one
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.lines == ["open", "true"])
    }

    @Test func aStatusThatIsWatchedIsShownAgain() throws {
        let run = try run(
            """
            $KEYWEDGE status --config k.yaml --watch --format json >watched & watcher=$!
            until_true '[ $(wc -l <watched) -ge 2 ]' || exit 3
            kill -TERM $watcher; wait $watcher
            [ $? = 143 ] && jq -s '[.[].journal.state] | unique[]' -r watched
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.lines == ["open"])
    }

    /// `--watch` waits for a daemon that does not run, but not for a configuration that cannot be read.
    @Test func aStatusThatIsWatchedNeedsARightConfiguration() throws {
        let run = try CommandRun.shell("timeout 600 $KEYWEDGE status --watch -c none.yaml")
        #expect(run.exitCode == 1 && run.errors.contains("none.yaml"), "\(run.errors)")
    }

    /// `systemctl start` would start a daemon with the standard configuration.
    @Test func theAdviceNamesTheConfigurationThatWasAskedFor() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "{listen: {socket: \(folder.path)/s}, journal: {file: \(folder.path)/j}}\n",
            to: "k.yaml")
        for command in [["status"], ["journal", "list"]] {
            let run = try CommandRun(arguments: command + ["-c", path, "-q"])
            #expect(run.errors.contains("keywedge run -c \(path)"), "\(run.errors)")
            #expect(!run.errors.contains("systemctl"))
        }
    }

    @Test func codesAreShownToWhoAsksForThem() throws {
        let run = try run(
            """
            last=$(jq -rs '[.[] | select(.type == "keywedge.scan")][-1].data.text' expected)
            status --json | grep -F "$last" && exit 3
            status | grep -F "$last" && exit 4
            status --codes | grep -F "last code: $last" || exit 5
            status --codes --json | jq -e --arg last "$last" \\
                '[.scanners[].last_text] | index($last)' >/dev/null
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
    }

    @Test func aSinkInTroubleIsNamedWithItsLastError() throws {
        let run = try run(
            """
            until_json '.sinks[0].state == "trouble" and .sinks[0].lag_events > 0' || exit 3
            until_true 'status >told && grep -q " behind, the oldest waits for " told'; cat told
            """, sink: "/bin/false")
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.output.contains("erp: trouble; "))
        #expect(run.output.contains(" behind, the oldest waits for "))
        #expect(run.output.contains("/bin/false"))
    }

    @Test func aJournalThatWasReplacedIsTheOneThatIsTold() throws {
        let run = try run(
            """
            before=$(status --json | jq .journal.events)
            kill $daemon; wait $daemon || exit 3
            python3 - <<'END' || exit 4
            import sqlite3
            file = sqlite3.connect("journal.sqlite")
            file.execute("UPDATE event SET line = CAST('{}' AS BLOB) WHERE sequence = 3")
            file.commit()
            END
            echo 'device name="x"' >nothing.keys
            $KEYWEDGE run --config k.yaml --replay nothing.keys >out 2>said & daemon=$!
            $KEYWEDGE listen --config k.yaml --timeout 600s --types keywedge.journal.replaced \\
                --after oldest --count 1 >/dev/null || exit 5
            until_json '.journal.state == "open" and .journal.events != null' || exit 6
            kept=$(sqlite3 -readonly journal.sqlite 'SELECT count(*) FROM event')
            until_json ".journal.events == $kept"
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
    }

    /// The daemon must not have threads of libdispatch, which wake up every second until the process ends.
    @Test func aDaemonThatWasAskedSleepsAgain() throws {
        let run = try run(
            """
            for attempt in $(seq 20); do
                status --json >/dev/null || exit 3
                curl -sS --unix-socket s http://localhost/metrics >/dev/null || exit 4
            done
            cat /proc/$daemon/task/*/comm | grep qos && exit 5
            [ $(cat /proc/$daemon/task/*/comm | wc -l) -ge 3 ]
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
    }

    @Test func aDaemonThatIsNotThereIsOneSentence() throws {
        let folder = try TemporaryFolder()
        for arguments in [[], ["--json"], ["--format", "json"], ["--codes"]] {
            let run = try CommandRun(
                arguments: ["status", "--config", "/dev/null", "--socket", folder.path("s")]
                    + arguments)
            #expect(run.exitCode == 1)
            #expect(run.output == "")
            #expect(run.errors.contains("there is no socket \"\(folder.path("s"))\""))
            #expect(run.errors.contains("Run: systemctl start keywedge"))
            #expect(run.errors.split(separator: "\n").count == 1)
        }
    }
}
