import TestFolders
import Testing

@Suite struct CommandLineTests {
    @Test(arguments: [
        "replay", "type", "decode", "lookup", "catalog", "catalog import", "catalog export",
        "catalog check", "doctor", "reload", "config", "config check", "config show",
        "config schema",
    ])
    func helpShowsAnExample(command: String) throws {
        let run = try CommandRun.shell("$KEYWEDGE \(command) --help")
        #expect(run.exitCode == 0)
        #expect(run.output.contains("Example:"))
        #expect(run.output.contains("keywedge \(command)"))
        #expect(run.errors == "")
    }

    @Test(arguments: ["frobnicate", "replay", "replay --format xml x", "type a", "--nonsense"])
    func wrongUsageExitsWith2(arguments: String) throws {
        let run = try CommandRun.shell("$KEYWEDGE \(arguments)")
        #expect(run.exitCode == 2)
        #expect(run.output == "")
        #expect(run.errors.contains("Usage:"))
    }

    @Test(arguments: [
        ("catalog import x.csv --max-change 5", "expected a share from 0% to 100%, as 20% or 0.5%"),
        (
            "catalog import x.csv --time-zone CET",
            "expected UTC or a name with its area, as Europe/Berlin"
        ),
        (
            "lookup 1 --at 2026-12-01",
            "expected a time with its offset, as 2026-12-01T08:00:00+01:00"
        ),
        (
            "catalog export --scope 'a b'",
            "expected 1 to 64 letters from a to z or A to Z, digits, hyphens, underscores and points"
        ),
    ])
    func aValueOfNoUseIsRefusedWithWhatIsExpected(arguments: String, expected: String) throws {
        let run = try CommandRun.shell("$KEYWEDGE \(arguments)")
        #expect(run.exitCode == 2)
        #expect(run.errors.contains(expected), "\(run.errors)")
    }

    @Test func typeThenReplayIsTheIdentityForAllOfASCII() throws {
        let texts = try CommandRun.shell(
            #"""
            for code in $(seq 1 127); do
              text=$(printf 'a\\x%02xb' "$code")
              [ "$code" = 92 ] && text='a\\b'
              read -r back < <($KEYWEDGE type "$text" -o - | $KEYWEDGE replay - --format json 2>/dev/null | jq -j '.data.text | @json')
              [ "$back" = "$(jq -nj --arg c "$(printf "\\x$(printf %02x $code)x")" '"a" + ($c | .[0:1]) + "b" | @json')" ] || echo "U+00$(printf %02X $code): $back"
            done
            """#)
        #expect(texts.output == "")
        #expect(texts.exitCode == 0)
    }

    @Test func aTextTheLayoutCannotTypeIsNamed() throws {
        let run = try CommandRun("type", "café", "-o", "-")
        #expect(run.exitCode == 1)
        #expect(
            run.errors.hasSuffix(
                "the layout has no key for U+00E9 LATIN SMALL LETTER E WITH ACUTE, character 3 of"
                    + " the text\n"))
        #expect(run.output == "")
    }

    @Test func decodeReadsArgumentsOrLines() throws {
        let arguments = try CommandRun("decode", "4006381333931", "]E0042100005264")
        let lines = try CommandRun("decode", input: "4006381333931\n]E0042100005264\n")
        #expect(arguments.output == lines.output)
        #expect(
            arguments.lines.first
                == #"{"text":"4006381333931","aim":null,"symbology":"ean-13","inferred":true,"#
                + #""kind":"gtin","gtin":"04006381333931","check_digit":"valid","problems":[]}"#)
    }

    @Test func decodeIsStrictAboutProblemsOnlyWhenAsked() throws {
        #expect(try CommandRun("decode", "4006381333932").exitCode == 0)
        let strict = try CommandRun("decode", "4006381333932", "--strict")
        #expect(strict.exitCode == 3)
        #expect(strict.output.contains(#""code":"wrong-check-digit""#))
    }

    @Test func theConfigurationShownParsesToTheSame() throws {
        let folder = try TemporaryFolder()
        let shown = try CommandRun("config", "show", "--config", "examples/keywedge.yaml")
        let path = try folder.write(shown.output, to: "shown.yaml")
        #expect(try CommandRun("config", "check", path).exitCode == 0)
        #expect(try CommandRun("config", "show", "--config", path).output == shown.output)
    }

    @Test func aWrongConfigurationIsNamedLineByLine() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "scanners:\n  - name: till\n    idle_timeout: fast\n    layuot: us\n", to: "k.yaml")
        for command in ["config check \(path)", "replay - --config \(path)"] {
            let run = try CommandRun.shell("$KEYWEDGE \(command)")
            #expect(run.exitCode == 1)
            #expect(run.errors.contains("\(path):3: scanners[0].idle_timeout: expected"))
            #expect(run.errors.contains("\(path):4: scanners[0].layuot"))
            #expect(run.output == "")
        }
    }

    @Test(arguments: [
        (#"$'\xff'"#, 1), (#"decode 1 --config $'\xff'"#, 4), (#"type $'\xff' -o -"#, 2),
        (#"lookup 1 --catalog=$'caf\xe9'"#, 3), (#"config check $'\xff'"#, 3),
        (#"decode $'\xff' --config $'\xff'"#, 2),
    ]) func anArgumentThatIsNoUTF8IsWrongUsage(arguments: String, number: Int) throws {
        let run = try CommandRun.shell("$KEYWEDGE \(arguments)")
        #expect(run.exitCode == 2)
        #expect(run.output == "")
        let error = "Error: argument \(number): expected UTF-8\n"
        #expect(run.errors.hasPrefix(error), "\(run.errors)")
    }

    @Test func aWrongArgumentReachesTheTerminalEscaped() throws {
        let run = try CommandRun("x\u{1B}[31m\u{9B}")
        #expect(run.exitCode == 2)
        #expect(run.errors.contains(#"x\x1b[31m\u009b"#), "\(run.errors)")
        #expect(!run.errors.unicodeScalars.contains("\u{1B}"))
    }

    @Test func typeSaysWhereReplayWillNotReadTheTextBack() throws {
        let long = String(repeating: "1", count: 5_000)
        let run = try CommandRun("type", long, "-o", "-")
        #expect(run.exitCode == 3)
        #expect(run.errors == "keywedge: with these settings replay does not read this text back\n")
        // What it typed is written all the same.
        let presses = run.output.split(separator: "\n").filter { $0.contains(" 0001 0002 0001") }
        #expect(presses.count == 5_000)
        let readBack = try CommandRun("type", "1", "-o", "-")
        #expect(readBack.exitCode == 0)
        #expect(readBack.errors == "")
    }
}
