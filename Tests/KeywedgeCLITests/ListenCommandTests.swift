import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests `keywedge listen` with a daemon that plays recordings.
@Suite(.blocking, .timeLimit(.minutes(10))) struct ListenCommandTests {
    private let recording = CommandRun.projectFolder + "/examples/recordings/till-morning.keys"

    /// Runs a script in a folder with a configuration, while a daemon runs that has played a recording.
    private func run(_ script: String) throws -> CommandRun {
        let folder = try TemporaryFolder()
        return try CommandRun.shell(
            """
            cd \(folder.path)
            cat >k.yaml <<'END'
            catalog: {sources: []}
            journal: {file: journal.sqlite}
            listen: {socket: s}
            END
            $KEYWEDGE run --config k.yaml --replay \(recording) --fast --format json >out & daemon=$!
            until_true '$KEYWEDGE status --config k.yaml >/dev/null 2>&1'
            listen() { $KEYWEDGE listen --config k.yaml --timeout 600s "$@"; }
            expected=$($KEYWEDGE replay \(recording) --config k.yaml --format text | wc -l)
            # A separate thread writes standard output, perhaps later than listeners get the events.
            scans() { grep -c '"type":"keywedge.scan".*}$' out; }
            until_true '[ "$(scans)" = $expected ]' || { kill $daemon; exit 4; }
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
            # --after applies only to a new consumer.
            listen --consumer till --after oldest --types keywedge.scan --count 3 --format json >>listened
            listen --consumer till --types keywedge.scan --count $((expected - 5)) --format json >>listened
            grep '"type":"keywedge.scan"' out | cmp - listened
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
    }

    @Test func aSecondListenerTakesOverAndTheFirstEndsWithAMessage() throws {
        let run = try run(
            """
            $KEYWEDGE listen --config k.yaml --consumer till --types keywedge.stopping >first 2>said & first=$!
            streams() { $KEYWEDGE status --config k.yaml --json | jq .streams; }
            until_true '[ "$(streams)" = 1 ]' || exit 7
            listen --consumer till --after oldest --types keywedge.scan --count 2 --format json | jq -r .type
            wait $first; [ $? = 1 ] || exit 5
            cat said; [ ! -s first ]
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(
            run.lines == [
                "keywedge.scan", "keywedge.scan",
                "keywedge: another listener reads as \"till\" now; this one ends",
            ])
    }

    @Test func aConsumerIsKnownUntilItIsForgotten() throws {
        let run = try run(
            """
            known() { $KEYWEDGE status --config k.yaml --json | jq -c '[.consumers[].name]'; }
            listen --consumer mistyped --types keywedge.stopping --timeout 1s || exit 5
            known
            listen --consumer till --after oldest --count 1 >/dev/null || exit 6
            known
            listen --forget tlil 2>refused && exit 7
            grep -c 'knows no consumer "tlil"; expected one of: "till"$' refused
            listen --forget till || exit 8
            known
            listen --forget till 2>refused && exit 9
            grep -c 'knows no consumer "till"; there is none$' refused
            listen --forget till --consumer till 2>/dev/null; [ $? = 2 ]
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.lines == ["[]", #"["till"]"#, "1", "[]", "1"])
    }

    @Test func itEndsInOrderWhenItsTimeIsUpAndWhenASignalComes() throws {
        let run = try run(
            """
            $KEYWEDGE listen --config k.yaml --after oldest >got 2>said &
            until_true '[ -s got ]'
            kill $!; wait $!; [ $? = 143 ] || exit 5
            [ -s got ] && [ ! -s said ] || exit 6
            $KEYWEDGE listen --config k.yaml --timeout 1s 2>said || exit 7
            [ ! -s said ] || exit 8
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
            grep -m 2 '"type":"keywedge.scan"' out | cmp - taken
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
    }

    @Test func anEventThatTheCommandRefusesIsNamed() throws {
        let run = try run(
            #"""
            listen --consumer till --after oldest --types keywedge.scan --count 1 \
                --exec sh -c 'exit 65' 2>said
            event=$(grep -m 1 '"type":"keywedge.scan"' out)
            name=$(echo "$event" | jq -r '"-\(.sequence | tonumber) (id \"\(.id)\")"')
            grep -F -- "$name is refused for good: the command ended with 65. It counts as accepted, and is not sent again" said
            """#)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
    }

    @Test func aSignalEndsTheCommandAndWhatItAcceptedIsRecorded() throws {
        let run = try run(
            """
            cat >take <<'END'
            #!/bin/sh
            trap 'echo ended >>log; exit 0' TERM
            echo started >>log
            while :; do sleep 0.01; done
            END
            chmod +x take
            $KEYWEDGE listen --config k.yaml --consumer till --after oldest --types keywedge.scan \
                --exec ./take 2>said &
            until_true '[ -s log ]'
            kill $!; wait $!; [ $? = 143 ] || exit 5
            [ "$(tr '\n' ' ' <log)" = "started ended " ] || exit 6
            listen --consumer till --types keywedge.scan --count 1 --exec tee second
            grep -m 2 '"type":"keywedge.scan"' out | tail -n 1 | cmp - second
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
    }

    @Test func itIsToldWhatIsNoLongerThere() throws {
        let run = try run(
            """
            first() { listen "$@" --format json | jq -c '[.type, .data.reason, .data.after]'; }
            listen --after oldest --types keywedge.scan --count $expected --format json >/dev/null
            epoch=$(sqlite3 -readonly journal.sqlite 'SELECT epoch FROM journal')

            # The cursor of an unknown journal: a listener gets a gap, but a consumer is refused.
            first --after zzzzzzzzzzzz-7 --count 1
            listen --consumer till --after zzzzzzzzzzzz-7 --count 1 2>refused && exit 3
            grep -q '409, The cursor belongs to another journal' refused || exit 4

            # A journal that was damaged while no daemon ran is replaced; its old cursors remain valid.
            kill $daemon; wait $daemon || exit 5
            python3 - <<'END' || exit 6
            import sqlite3
            file = sqlite3.connect("journal.sqlite")
            file.execute("UPDATE event SET line = CAST('{}' AS BLOB) WHERE sequence = 3")
            file.commit()
            END
            $KEYWEDGE run --config k.yaml --replay \(recording) --fast --format json >out 2>said & daemon=$!
            listen --types keywedge.journal.replaced --after oldest --count 1 >/dev/null || exit 7
            [ $(sqlite3 -readonly journal.sqlite 'SELECT epoch FROM journal') != $epoch ] || exit 8
            first --after $epoch-1 --count 2 | sed "s/$(sqlite3 -readonly journal.sqlite \
                'SELECT epoch FROM journal')/EPOCH/"
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(
            run.output == """
                ["keywedge.gap","unknown-epoch","zzzzzzzzzzzz-7"]
                ["keywedge.scan",null,null]
                ["keywedge.gap","replaced","EPOCH-2"]

                """)
    }

    @Test func itIsToldWhatRetentionTook() throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun.shell(
            """
            cd \(folder.path)
            cat >k.yaml <<'END'
            catalog: {sources: []}
            journal: {file: journal.sqlite, keep: {megabytes: 1}}
            listen: {socket: s}
            END
            $KEYWEDGE run --config k.yaml --fast --format json >out 2>said \
                --replay $(yes \(recording) | head -n 150) & daemon=$!
            oldest() { sqlite3 -readonly journal.sqlite 'SELECT removed FROM journal'; }
            until_true '[ "$(oldest 2>/dev/null)" -gt 500 ] 2>/dev/null'
            # Restart the daemon, because it has its newest events in memory even if the journal dropped them.
            kill $daemon; wait $daemon || exit 8
            echo 'device name="x"' >nothing.keys
            $KEYWEDGE run --config k.yaml --replay nothing.keys >out 2>said & daemon=$!
            epoch=$(sqlite3 -readonly journal.sqlite 'SELECT epoch FROM journal')
            $KEYWEDGE listen --config k.yaml --timeout 600s --after $epoch-7 --count 2 --format json >two
            result=$?
            kill $daemon; wait $daemon || exit 9
            [ $result = 0 ] || exit $result
            jq -r '[.type, .data.reason, .data.first] | map(. // "") | join(" ")' two
            [ $(jq -sr '(.[1].sequence | tonumber) - (.[0].data.last | tonumber)' two) = 1 ]
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(
            run.lines.first == "keywedge.gap retention 00000000000000000008", "\(run.output)")
    }

    /// A simulated daemon sends events, but refuses some cursors: with 503 as if its disk failed, or with 409.
    @Test func aCursorThatIsNotMovedIsSaidOnce() throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun.shell(
            """
            cd \(folder.path)
            cat >daemon.py <<'END'
            import http.server, json, socketserver, threading, time
            moves = []
            class Daemon(http.server.BaseHTTPRequestHandler):
                protocol_version = "HTTP/1.1"
                def address_string(self): return "client"
                def log_message(self, *what): pass
                def do_GET(self):
                    self.send_response(200)
                    self.send_header("Content-Type", "text/event-stream")
                    self.send_header("Connection", "close")
                    self.end_headers()
                    for number in range(1, 7):
                        self.wfile.write(b'id: k3v9q0c2m7xd-%d\\ndata: {"n":%d}\\n\\n' % (number, number))
                        # Send the next event only after the cursor of this one was accepted or refused.
                        while len(moves) < number: time.sleep(0.01)
                    self.close_connection = True
                def do_PUT(self):
                    body = self.rfile.read(int(self.headers["Content-Length"]))
                    number = len(moves) + 1
                    status = 503 if number in (1, 2, 5) else 409 if number == 3 else 200
                    answer = json.dumps({"name": "till", "cursor": "k3v9q0c2m7xd-1"}
                        if status == 200 else {"detail": "No %d." % status}).encode()
                    if number == 3:
                        # Send the next event before this answer.
                        moves.append(json.loads(body)["cursor"])
                        time.sleep(0.3)
                    # Print before answering, because the script may end this program after the last answer.
                    print(json.loads(body)["cursor"], status, flush=True)
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(answer)))
                    self.end_headers()
                    self.wfile.write(answer)
                    if number != 3: moves.append(json.loads(body)["cursor"])
            class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
                daemon_threads = True
            Server("s", Daemon).serve_forever()
            END
            timeout 600 python3 daemon.py >moves & daemon=$!
            until_true '[ -S s ]'
            $KEYWEDGE listen --config /dev/null --socket s --consumer till --count 6 --timeout 600s \
                --format json >events
            result=$?
            kill $daemon
            cat moves
            exit $result
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        let statuses = [503, 503, 409, 200, 503, 200].enumerated()
        #expect(run.lines == statuses.map { "k3v9q0c2m7xd-\($0 + 1) \($1)" })
        let said = [503, 409, 503].map {
            "keywedge: the cursor of \"till\" is not moved: The daemon refuses: \($0), No \($0).; "
                + "events may come again\n"
        }
        #expect(run.errors == said.joined())
    }

    @Test func itTellsOnceThatThereIsNoDaemonAndWaits() throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun.shell(
            "$KEYWEDGE listen --config /dev/null --socket \(folder.path("s")) --count 1 --timeout 1s"
        )
        #expect(run.exitCode == 1)
        let trouble =
            "keywedge: the daemon does not run, or listens elsewhere: there is no socket "
            + "\"\(folder.path("s"))\". "
        #expect(run.errors.components(separatedBy: trouble).count == 2, "\(run.errors)")
        #expect(run.errors.contains("the time is up"))
    }

    @Test(arguments: [
        ("--types keywedge.scna", "expected one or more of keywedge.scan, keywedge.scan.rejected"),
        ("--kinds fruit", "expected one or more of book-details, coupon, gs1"),
        ("--after yesterday", "expected oldest, or a cursor EPOCH-SEQUENCE"),
        ("--timeout 5", "expected a number with a unit, as 500ms, 30s"),
        ("--exec", "--exec takes the rest of the line as its command; expected a command"),
        ("--exec --count 1", #"which begins with "--count"; write the options of listen before"#),
    ])
    func aValueOfNoUseIsRefusedWithThoseThatAre(arguments: String, expected: String) throws {
        let run = try CommandRun.shell("$KEYWEDGE listen --config /dev/null \(arguments)")
        #expect(run.exitCode == 2)
        #expect(run.errors.contains(expected), "\(run.errors)")
    }

    @Test func anOptionAfterExecIsTheCommands() throws {
        let folder = try TemporaryFolder()
        let listen =
            "$KEYWEDGE listen --config /dev/null --socket \(folder.path("s")) --timeout 50ms"
        let run = try CommandRun.shell("\(listen) --exec cat --count 1")
        #expect(run.errors.contains(#"--count goes to "cat", not to listen"#), "\(run.errors)")
        let quiet = try CommandRun.shell("\(listen) --quiet --exec cat --count 1")
        #expect(!quiet.errors.contains("--count"), "\(quiet.errors)")
    }
}
