import Foundation
import TestFolders
import TestWaiting
import Testing

/// Tests that one bad part does not stop the register: the log and `status` report it, and it is retried.
@Suite(.blocking, .timeLimit(.minutes(10))) struct BadPartTests {
    /// Runs a script while a daemon with these catalogs, listeners and events runs.
    private func run(
        catalog: String = "[]", listen: String = "{socket: s}", events: String = "[{stdout: {}}]",
        before: String = "", _ script: String
    ) throws -> CommandRun {
        let folder = try TemporaryFolder()
        return try CommandRun.shell(
            """
            cd \(folder.path)
            \(before)
            cat >k.yaml <<END
            catalog: {sources: \(catalog)}
            journal: {file: journal.sqlite}
            listen: \(listen)
            events: \(events)
            END
            echo 'type "4006381333931\\n"' >one.keys
            import() { $KEYWEDGE catalog import \(CommandRun.projectFolder)/examples/catalog.csv \\
                --currency EUR --catalog "$1" >/dev/null 2>&1; }
            import one.sqlite
            $KEYWEDGE run --config k.yaml --replay one.keys --format json >out 2>said & daemon=$!
            status() { $KEYWEDGE status --config k.yaml --format json 2>/dev/null; }
            has() { status | jq -e "$1" >/dev/null; }
            until_true 'grep -qs keywedge.scan out' || { cat said >&2; exit 2; }
            \(script)
            result=$?
            kill $daemon; wait $daemon || exit 9
            cat said >&2
            exit $result
            """)
    }

    @Test(arguments: ["rm -f two.sqlite", "echo a text that is not a database >two.sqlite"])
    func aSecondCatalogThatIsOfNoUseIsUsedOnceItIs(bad: String) throws {
        let run = try run(
            catalog: "[{embedded: one.sqlite}, {embedded: two.sqlite}]",
            """
            has '.sources[0].state == "ready" and .sources[1].state == "missing"
                and (.sources[1].trouble | test("two.sqlite"))' || { status >&2; exit 3; }
            \(bad)
            has '.sources[1].state != "ready"' || exit 4
            rm -f two.sqlite; import two.sqlite
            until_true "has '.sources[1].state == \\"ready\\"'" || { status >&2; exit 5; }
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        let line = run.errors.split(separator: "\n").first { $0.contains("two.sqlite") } ?? ""
        #expect(line.hasPrefix("keywedge: There is no catalog at "))
        #expect(line.contains("Run: keywedge catalog import FILE.csv --catalog "))
    }

    /// Like the daemon with the same configuration, the commands use the catalog that works.
    @Test(arguments: [
        "{embedded: two.sqlite}", "{embedded: text.sqlite}",
        #"{http: {name: two, url: "https://127.0.0.1:9", tls: {ca_file: two.pem}, request: {path: "/{code}"}, product: {id: /id}}}"#,
    ])
    func lookupAndReplayUseTheCatalogThatWorks(second: String) throws {
        let run = try run(
            catalog: "[{embedded: one.sqlite}, \(second)]", before: "echo no database >text.sqlite",
            """
            $KEYWEDGE lookup 4006381333931 --config k.yaml --format json >found 2>errors; echo $?
            grep -c '"status":"found"' found; grep -cE 'two|text' errors
            $KEYWEDGE lookup 99 --config k.yaml >/dev/null 2>&1; echo $?
            $KEYWEDGE replay one.keys --config k.yaml --format json 2>errors | grep -c '"status":"found"'
            grep -cE 'two|text' errors
            $KEYWEDGE replay one.keys --config k.yaml --strict >/dev/null 2>&1; echo $?
            $KEYWEDGE lookup 4006381333931 --catalog two.sqlite 2>/dev/null; echo $?
            """)
        #expect(
            run.lines == ["0", "1", "1", "1", "1", "1", "3", "1"], "\(run.output)\(run.errors)")
    }

    @Test(arguments: [
        ("", "cannot be read: No such file or directory"),
        ("echo nonsense >secret;", "is of no use: expected whsec_"),
    ])
    func aWebhookWithoutASecretHoldsItsEventsAndGoesOnWithOne(
        bad: String, message: String
    ) throws {
        let run = try run(
            events:
                #"[{stdout: {}}, {webhook: {name: erp, url: "http://127.0.0.1:9/", secret_file: secret}}]"#,
            """
            \(bad)
            until_true "has '.sinks[0].state == \\"trouble\\" and (.sinks[0].trouble.message |
                test(\\"secret\\")) and .sinks[0].lag_events > 0'" || { status >&2; exit 3; }
            until_true "has '.sinks[0].trouble.message | test(\\"\(message.prefix(14))\\")'" || exit 4
            status | jq -r .sinks[0].trouble.message
            echo whsec_$(head -c 32 /dev/zero | base64) >secret
            until_true "has '.sinks[0].trouble.message | test(\\"refused\\")'" || { status >&2; exit 5; }
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.output.contains(message), "\(run.output)")
        #expect(run.errors.contains("keywedge: sink erp: "))
    }

    private static let token = "(umask 077; printf '%064d' 0 >token)"
    private static let certificate = """
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k.pem \\
            -out c.pem -subj /CN=a 2>/dev/null
        """

    @Test(arguments: [
        ("token_file: token", "", "token", token),
        ("token_file: token", "echo short >token", "too short", token),
        (
            "certificate_file: c.pem, key_file: k.pem", "echo a text >c.pem; cp c.pem k.pem",
            "c.pem", certificate
        ),
        ("hosts: []", "", "another program does", "kill $other; wait $other"),
    ])
    func anAddressThatCannotBeListenedAtIsUsedOnceItCan(
        setting: String, bad: String, message: String, mending: String
    ) throws {
        let run = try run(
            listen: "{socket: s, http: \"127.0.0.1:$port\", \(setting)}",
            before: """
                \(bad)
                exec 3< <(python3 -c 'import socket, time
                s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
                print(s.getsockname()[1], flush=True)
                try: time.sleep(600)
                except KeyboardInterrupt: pass'); other=$!
                read -r port <&3
                trap 'kill $other $(jobs -p) 2>/dev/null' EXIT
                [ '\(message)' = 'another program does' ] || { kill $other; wait $other; }
                """,
            """
            has ".listen[1].place == \\"127.0.0.1:$port\\"" || exit 3
            until_true "has '.listen[0].trouble == null and
                (.listen[1].trouble | test(\\"\(message)\\"))'" || { status >&2; exit 4; }
            \(mending)
            until_true "has '.listen[1].trouble == null'" || { status >&2; exit 5; }
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.errors.contains("keywedge: interface: "))
    }

    @Test(arguments: [
        (
            "folder/s", "",
            "/folder/s\": No such file or directory. Its folder is missing: mkdir -p ",
            "mkdir folder"
        ),
        ("s", "echo a text >s", "/s\": something else is there", "rm s"),
    ])
    func aSocketThatCannotBeMadeIsMadeOnceItCan(
        path: String, bad: String, message: String, mending: String
    ) throws {
        let run = try run(
            listen: "{socket: \(path)}", before: bad,
            """
            has . && exit 3
            \(mending)
            until_true 'has .' || exit 4
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        let line = run.errors.split(separator: "\n").first { $0.hasPrefix("keywedge: interface: ") }
        #expect(line?.contains(message) == true, "\(run.errors)")
    }

    @Test func aCatalogWhoseSecretIsMissingIsNotReady() throws {
        let run = try run(
            catalog:
                #"[{http: {name: stock, url: "http://127.0.0.1:9", request: {path: "/{code}"}, auth: {bearer: {token_file: token}}, product: {id: /id}}}]"#,
            """
            has '.sources[0].state == "unreadable-secret" and (.sources[0].trouble | test("token"))' ||
                { status >&2; exit 3; }
            echo word >token
            until_true "has '.sources[0].state != \\"unreadable-secret\\"'" || { status >&2; exit 4; }
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.errors.contains("keywedge: The catalog stock cannot be asked: "))
    }

    @Test(.enabled(if: access("/dev/uinput", W_OK) != 0))
    func withoutUinputScansAreReadAllTheSame() throws {
        let run = try run(
            events: #"[{stdout: {}}, {keyboard: {template: "{text}{enter}"}}]"#,
            """
            until_true 'has ".sinks[] | select(.name == \\"keyboard\\").trouble.message | test(\\"uinput\\")"'
            """)
        #expect(run.exitCode == 0, "\(run.output) \(run.errors)")
        #expect(run.errors.contains("keywedge: sink keyboard: scans are not typed: /dev/uinput"))
    }
}
