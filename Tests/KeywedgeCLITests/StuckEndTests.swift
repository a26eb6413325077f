import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests that a signal ends the daemon in order, even if a reader of its output, a sink or a catalog hangs.
@Suite(.blocking, .timeLimit(.minutes(10))) struct StuckEndTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let scans = (1...200).map { "type \"\(40_000_000 + $0)\\n\"\n" }.joined()
        try folder.write("device name=\"x\"\n" + scans, to: "scans.keys")
        try folder.write(
            """
            import socket, sys
            server = socket.socket()
            server.bind(("127.0.0.1", 0))
            server.listen(100)
            print(server.getsockname()[1], flush=True)
            taken = []
            while True:
                taken.append(server.accept())
                open("asked", "w").close()

            """, to: "silent.py")
    }

    /// Runs a daemon with a server that accepts connections, then creates the file `asked`, and never answers.
    ///
    /// `start` starts the daemon. `journaled N` waits until the journal has N events; `end` ends the daemon.
    private func run(
        events: String, catalog: String = "{sources: []}", start: String, _ script: String
    ) throws -> CommandRun {
        try folder.write(
            """
            catalog: \(catalog)
            journal: {file: journal.sqlite}
            listen: {socket: ./s}
            events: [\(events)]

            """, to: "k.yaml")
        return try CommandRun.shell(
            """
            cd '\(folder.path("."))'
            (umask 077; echo whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw >secret)
            python3 silent.py >port & helpers=$!
            trap 'kill $helpers $(jobs -p) 2>/dev/null' EXIT
            until [ -s port ]; do sleep 0.05; done
            sed -i "s/PORT/$(cat port)/" k.yaml
            count() { sqlite3 -readonly journal.sqlite 'SELECT count(*) FROM event' 2>/dev/null || echo 0; }
            journaled() { until_true "[ \\$(count) -ge $1 ]"; }
            end() { kill -TERM $daemon; wait $daemon; code=$?; }
            \(start)
            \(script)
            exit $code
            """)
    }

    @Test(arguments: ["{format: json}", "{format: json, after: journal}"])
    func aReaderOfStandardOutputThatHangs(settings: String) throws {
        let run = try run(
            events: "{stdout: \(settings)}",
            start: """
                mkfifo out; exec 7<>out
                $KEYWEDGE run --config k.yaml --fast --replay scans.keys >out & daemon=$!
                """,
            "journaled 201 || exit 9; end; sqlite3 -readonly journal.sqlite 'SELECT count(*) FROM event'"
        )
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("standard output: not written: "), "\(run.errors)")
        // The events are 200 scans, keywedge.started and keywedge.stopping.
        #expect(run.lines == ["202"])
    }

    /// The daemon logs 1 KiB of the command's output for each event, which is more in total than the FIFO holds.
    @Test func aReaderOfStandardErrorThatHangs() throws {
        let run = try run(
            events:
                #"{exec: {from: oldest, command: [/bin/sh, -c, "head -c 9999 /dev/zero | tr '\\0' x"]}}"#,
            start: """
                mkfifo said; exec 7<>said
                $KEYWEDGE run --config k.yaml --fast --replay scans.keys 2>said & daemon=$!
                """,
            """
            cursor() { sqlite3 -readonly journal.sqlite 'SELECT max(sequence) FROM cursor' 2>/dev/null; }
            until_true '[ "$(cursor)" = 201 ]'
            cursor; end
            """)
        #expect(run.exitCode == 0)
        #expect(run.lines == ["201"])
    }

    @Test func sinksThatHangKeepNothingFromEndingWell() throws {
        let run = try run(
            events: """
                {exec: {from: oldest, command: [/bin/sh, -c, "trap '' TERM; echo >begun; sleep 600; sleep 600"]}},
                {webhook: {url: "http://127.0.0.1:PORT/", secret_file: secret, from: oldest, timeout: 60s}},
                {mqtt: {url: "mqtt://127.0.0.1:PORT", topic: t, from: oldest}}
                """,
            start: "$KEYWEDGE run --config k.yaml --fast --replay scans.keys & daemon=$!",
            """
            journaled 201 || exit 9
            until [ -e begun ]; do sleep 0.05; done
            end
            ls journal.sqlite-wal 2>/dev/null
            sqlite3 -readonly journal.sqlite 'SELECT count(*) FROM event'
            """)
        #expect(run.exitCode == 0, "\(run.errors)")
        // The journal was closed, so its write-ahead log no longer exists.
        #expect(run.lines == ["202"])
    }

    /// The running lookup is cancelled, and its scan is published.
    @Test func aCatalogThatHangs() throws {
        let run = try run(
            events: "{stdout: {format: json}}",
            catalog: """
                {sources: [{http: {name: shop, url: "http://127.0.0.1:PORT", request: {path: "/{code}"}, \
                product: {id: /id, name: /name}, attempt_timeout: 59s, connect_timeout: 59s}}], \
                deadline: 60s}
                """,
            start: "$KEYWEDGE run --config k.yaml --fast --replay scans.keys >out & daemon=$!",
            "until_true '[ -e asked ]' || exit 9; end; jq -r .type out")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.lines == ["keywedge.started", "keywedge.scan", "keywedge.stopping"])
    }
}
