import Events
import Foundation
import TestWaiting
import Testing

/// Tests that the JSON Schema accepts keywedge's events and rejects events with faults.
@Suite(
    .blocking,
    .enabled(
        if: FileManager.default.fileExists(
            atPath: "/usr/lib/python3/dist-packages/jsonschema/__init__.py"),
        "python3-jsonschema is not installed"))
struct EventSchemaTests {
    /// Prints `accepted` for each line of standard input, or why the schema rejects it.
    private static let judge = """
        judge() { python3 -c '
        import json, sys
        from jsonschema import Draft202012Validator as Validator
        schema = json.load(open("docs/keywedge-events.schema.json"))
        Validator.check_schema(schema)
        validator = Validator(schema)
        for line in sys.stdin:
            error = next(validator.iter_errors(json.loads(line)), None)
            print("accepted" if error is None else error.json_path + ": " + error.message)
        '; }

        """

    private func verdicts(_ script: String, input: String = "") throws -> [String] {
        let run = try CommandRun.shell(Self.judge + script, input: input)
        #expect(run.exitCode == 0, "\(run.errors)")
        return run.lines
    }

    @Test func everyEventOfTheExamplesIsAccepted() throws {
        let verdicts = try verdicts("cat examples/*/*.events.jsonl | judge")
        #expect(verdicts.count > 150)
        #expect(verdicts.filter { $0 != "accepted" } == [])
    }

    /// Checks the samples in the README, the documents and the manual; a sample may span several lines.
    @Test func everyEventOfTheDocumentsIsAccepted() throws {
        let verdicts = try verdicts(
            #"""
            python3 -c '
            import json, pathlib
            docs = pathlib.Path("docs")
            for file in [pathlib.Path("README.md"), *docs.glob("*.md"), *docs.glob("*.[157]")]:
                text = file.read_text(encoding="utf-8")
                at = text.find("{\"specversion\"")
                while at >= 0:
                    event, length = json.JSONDecoder().raw_decode(text[at:])
                    sample = json.dumps(event).replace("\\u2026", "2026-11-23T08:00:00.000000Z")
                    print(sample)
                    at = text.find("{\"specversion\"", at + length)
            ' | judge
            """#)
        #expect(verdicts.count >= 3)
        #expect(verdicts.filter { $0 != "accepted" } == [])
    }

    @Test func everyEventOfADaemonIsAccepted() throws {
        let types = try CommandRun.shell(
            Self.judge + #"""
                folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT
                cat >"$folder/till.yaml" <<'END'
                journal: {file: journal.sqlite}
                listen: {socket: till.sock}
                catalog: {sources: []}
                END
                $KEYWEDGE run --config "$folder/till.yaml" --fast \
                    --replay examples/recordings/till-morning.keys >"$folder/events" 2>/dev/null &
                end_when "$folder/events" 9506000100624 TERM
                judge <"$folder/events" | grep -v '^accepted$'
                jq -r .type "$folder/events" | sort -u
                """#)
        #expect(
            types.lines == [
                "keywedge.scan", "keywedge.scan.rejected", "keywedge.started", "keywedge.stopping",
            ], "\(types.errors)")
    }

    @Test func theSchemaKnowsEveryTypeAndNoOther() throws {
        let run = try CommandRun.shell(
            "jq -r '.properties.type.enum[]' docs/keywedge-events.schema.json")
        #expect(
            run.lines.sorted()
                == (EventType.all + [.gap, .displaced, .test]).map(\.rawValue).sorted())
    }

    /// Each argument is a `jq` filter that makes a valid event invalid.
    @Test(arguments: [
        "del(.id)", "del(.sequence)", "del(.data)", "del(.data.scanner)", "del(.data.keystrokes)",
        "del(.data.lookup)", "del(.data.problems)", "del(.data.product)", "del(.data.kind)",
        "del(.type)", #".type = "keywedge.scanned""#, #".type = "keywedge.scan.rejected""#,
        #".type = "keywedge.started""#, #".specversion = "1.1""#, ".specversion = 1.0",
        #".id = """#, ".sequence = 1", #".sequence = "1""#, #".time = "2026-11-23T08:00:00Z""#,
        #".time = "2026-11-23 08:00""#, #".source = "/keywedge/till""#, ".unknown = 1",
        #".data.text = null"#, ".data.gtin = 4006381333931", #".data.gtin = "4006381333931""#,
        #".data.symbology = "ean13""#, #".data.kind = "ean""#, #".data.check_digit = "wrong""#,
        #".data.inferred = "true""#, ".data.problems = null", #".data.problems = [{"code": "a"}]"#,
        ".data.keystrokes.count = 1.5", ".data.keystrokes.count = -1",
        #".data.lookup.status = "missing""#, #".data.lookup.status = "not-found""#,
        ".data.product.price = 0.89", "del(.data.product.currency)", "del(.data.product.id)",
        #".data.product.codes = "1""#, ".data.product.attributes.weight = 5",
        #".data.scanner.vendor = "627""#, ".data.colour = null",
    ])
    func whatIsNoEventIsRefused(fault: String) throws {
        let verdicts = try verdicts(
            #"""
            fault=$(cat)
            event=$(head -n 1 examples/recordings/till-morning.events.jsonl)
            { printf '%s\n' "$event"; jq -c "$fault" <<<"$event"; } | judge
            """#, input: fault)
        #expect(verdicts.count == 2)
        #expect(verdicts.first == "accepted")
        #expect(verdicts.last != "accepted")
    }
}
