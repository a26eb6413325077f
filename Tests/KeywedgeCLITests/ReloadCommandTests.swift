import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests `keywedge reload` with a daemon that plays a recording.
@Suite(.blocking, .timeLimit(.minutes(10))) struct ReloadCommandTests {
    /// Runs a script while a daemon runs that has played a recording, and has a sink that appends events to a file.
    private func run(_ script: String) throws -> CommandRun {
        let folder = try TemporaryFolder()
        let recording = CommandRun.projectFolder + "/examples/recordings/till-morning.keys"
        return try CommandRun.shell(
            """
            cd \(folder.path)
            cat >erp <<'END'
            #!/bin/sh
            cat >>"$1"
            END
            chmod +x erp
            cat >k.yaml <<'END'
            catalog: {sources: [{embedded: catalog.sqlite}]}
            journal: {file: journal.sqlite}
            listen: {socket: s}
            scanners: [{name: counter, match: {vendor: "0c2e", product: "0b61"}}]
            events:
              - {stdout: {format: json}}
              - {exec: {name: erp, command: [\(folder.path)/erp, \(folder.path)/one], from: oldest}}
            END
            $KEYWEDGE catalog import --config k.yaml \\
                \(CommandRun.projectFolder)/examples/catalog.csv 2>&1 | tail -n 1 >imported
            $KEYWEDGE run --config k.yaml --replay \(recording) --fast >out 2>said &
            daemon=$!
            reload() { $KEYWEDGE reload --config k.yaml "$@"; }
            until_true '[ -S s ]' && until_true '$KEYWEDGE status --config k.yaml --json |
                jq -e ".sinks[0].lag_events == 0 and .journal.events >= 13" >/dev/null' || exit 8
            \(script)
            result=$?
            kill $daemon
            wait $daemon || exit 9
            exit $result
            """)
    }

    @Test func itSaysWhatIsOtherwiseAndSoDoesAnEvent() throws {
        let run = try run(
            """
            reload || exit 3
            sed -i 's/0b61/0b62/; s/name: erp,/name: shop,/' k.yaml
            reload || exit 4
            until_true 'grep -q keywedge.reloaded out'
            jq -r 'select(.type == "keywedge.reloaded") | .data.changes[] | [.section, .name, .change] | join(" ")' out
            $KEYWEDGE status --config k.yaml --json | jq -r '.sinks[].name'
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        let changes = ["scanners counter changed", "events shop added", "events erp removed"]
        #expect(run.lines == ["nothing has changed"] + changes + changes + ["shop", "stdout"])
    }

    @Test func aSinkOfOtherSettingsGoesOnWhereTheOldOneWas() throws {
        let run = try run(
            """
            sed -i "s|/one|/two|" k.yaml
            reload || exit 3
            until_true 'grep -q keywedge.reloaded two 2>/dev/null' || exit 4
            cat one two | jq -r .sequence >sequences
            sort -u sequences | cmp - sequences && jq -rs 'map(.type)[0]' two
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.lines == ["events erp changed", "keywedge.reloaded"])
    }

    @Test func whatIsWrongLeavesEverythingAsItIs() throws {
        let run = try run(
            """
            cp k.yaml right.yaml
            sed -i 's/name: counter/name: counter, idle_timout: 1s/; s/0b61/zzzz/' k.yaml
            curl -sS --unix-socket s -X POST http://localhost/v1/reload | jq -r .code,.problems[]
            reload --socket s && exit 3
            sed 's|listen: {socket: s|&, http: "127.0.0.1:8691"|' right.yaml >k.yaml
            reload && exit 4
            sed 's|\\[{embedded: catalog.sqlite}\\]|[{embedded: gone.sqlite}]|' right.yaml >k.yaml
            reload && exit 5
            rm k.yaml; mkfifo k.yaml
            $KEYWEDGE reload --config right.yaml && exit 6
            rm k.yaml; cp right.yaml k.yaml
            reload
            grep -c keywedge.reloaded out
            true
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.lines.first == "configuration-wrong")
        #expect(run.output.contains("k.yaml:4: scanners[0].idle_timout: expected a known key"))
        #expect(run.lines.suffix(2) == ["nothing has changed", "0"])
        #expect(run.errors.contains("listen.http has changed"))
        #expect(run.errors.contains("gone.sqlite"))
        #expect(!run.errors.contains("Failure("))
    }

    @Test func withoutADaemonItFails() throws {
        let run = try CommandRun.shell("$KEYWEDGE reload --config /dev/null --socket /nowhere/s")
        #expect(run.exitCode == 1)
        #expect(
            run.errors.hasPrefix(
                "keywedge: the daemon does not run, or listens elsewhere: there is no socket \"/nowhere/s\""
            ))
    }
}
