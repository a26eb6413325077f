import Glibc
import TestFolders
import TestWaiting
import Testing

@Suite(.blocking) struct CommandLineTests {
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

    /// Code that uses threads needs `/proc`, because libdispatch reads their state there.
    @Test(.enabled(if: geteuid() == 0, "only root may hide /proc"))
    func theVersionIsPrintedWithoutProc() throws {
        let run = try CommandRun.shell(
            "unshare --mount bash -c 'mount -t tmpfs none /proc && $KEYWEDGE --version'")
        #expect(run.output == "0.1.0\n")
        #expect(run.exitCode == 0, "\(run.errors)")
    }

    @Test(arguments: ["frobnicate", "replay", "replay --format xml x", "type a", "--nonsense"])
    func wrongUsageExitsWith2(arguments: String) throws {
        let run = try CommandRun.shell("$KEYWEDGE \(arguments)")
        #expect(run.exitCode == 2)
        #expect(run.output == "")
        #expect(run.errors.contains(" --help' for more information"))
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
        let error = "keywedge: argument \(number): expected UTF-8\n"
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
        // The key presses are written nevertheless.
        let presses = run.output.split(separator: "\n").filter { $0.contains(" 0001 0002 0001") }
        #expect(presses.count == 5_000)
        let readBack = try CommandRun("type", "1", "-o", "-")
        #expect(readBack.exitCode == 0)
        #expect(readBack.errors == "")
    }

    @Test(arguments: [
        "status --socket /nowhere/s", "statsu", "decode --format xml 1", "run --config /nowhere",
        "catalog import /nowhere --map a=b", "journal list --journal /nowhere", "--nonsense",
    ])
    func eachLineOfAnErrorBeginsAlike(arguments: String) throws {
        let run = try CommandRun.shell("$KEYWEDGE \(arguments)")
        #expect(run.exitCode != 0)
        let lines = run.errors.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(!lines.isEmpty)
        #expect(lines.filter { !$0.hasPrefix("keywedge: ") } == [], "\(run.errors)")
    }

    @Test(arguments: [
        ("statsu", "Did you mean keywedge status?"),
        ("catalog imprt x.csv", "Did you mean keywedge catalog import?"),
        ("journal dead lst", "Did you mean keywedge journal dead list?"),
        ("import x.csv", "Did you mean keywedge catalog import?"),
        ("frobnicate", "Expected one of: run, listen,"),
        ("nope", "Expected one of: run, listen,"),
        ("help statsu", "Did you mean keywedge status?"),
        ("layouts shwo", "See 'keywedge layouts --help'"),
    ])
    func aMistypedCommandIsToldWhatWasMeant(arguments: String, words: String) throws {
        let run = try CommandRun.shell("$KEYWEDGE \(arguments)")
        #expect(run.exitCode == 2)
        #expect(run.errors.hasPrefix("keywedge: There is no command "))
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test func shortOptionsAreThoseThatPeopleExpect() throws {
        #expect(try CommandRun("-V").output == CommandRun("--version").output)
        #expect(try CommandRun("-V").exitCode == 0)
        #expect(try CommandRun("run", "-V").exitCode == 2)
        let folder = try TemporaryFolder()
        let path = try folder.write("scanners: [{name: till}]\n", to: "k.yaml")
        let check = try CommandRun("config", "check", "-c", path)
        #expect(check.errors == "keywedge: \(path): right, 1 scanner\n")
        #expect(try CommandRun("config", "check", "-c", path, "-q").errors == "")
        #expect(try CommandRun().output.contains("SUBCOMMANDS:"))
    }

    @Test(arguments: [
        ("-c k.yaml status", "keywedge status -c FILE"),
        ("--config=k.yaml status", "keywedge status --config=k.yaml"),
        ("catalog -q import x.csv", "keywedge catalog import -q"),
        ("--json status", "keywedge status --json"),
        ("-q status", "keywedge status -q"), ("-ck.yaml status", "keywedge status -ck.yaml"),
    ])
    func anOptionBeforeItsCommandIsToldItsPlace(arguments: String, example: String) throws {
        let run = try CommandRun.shell("$KEYWEDGE \(arguments)")
        #expect(run.exitCode == 2)
        #expect(
            run.errors.contains(" comes after the command, as in: \(example).\n"), "\(run.errors)")
    }

    @Test func helpNamesAllExitCodes() throws {
        let help = try CommandRun("--help").output
        for code in 0...4 {
            #expect(help.contains(try Regex("[ ,]\\s*\(code)\\s+(done|failed|wrong|an)")))
        }
    }

    @Test(arguments: ["layouts list german", "layouts show fr"])
    func layoutsAreQuietToo(arguments: String) throws {
        let run = try CommandRun.shell("$KEYWEDGE \(arguments) -q")
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.errors == "")
        #expect(!run.output.isEmpty)
    }

    @Test(arguments: [("bash", "complete"), ("zsh", "#compdef keywedge"), ("fish", "complete -c")])
    func aShellGetsItsCompletions(shell: String, part: String) throws {
        let run = try CommandRun("completion", shell)
        #expect(run.exitCode == 0)
        #expect(run.output.contains(part))
        #expect(try CommandRun("completion", "csh").exitCode == 2)
    }

    @Test(arguments: [
        "decode 4006381333931", "devices --config /dev/null", "config show --config /dev/null",
        "layouts list german",
    ])
    func jsonIsAFormatEverywhere(arguments: String) throws {
        let long = try CommandRun.shell("$KEYWEDGE \(arguments) --format json | jq -c .")
        let short = try CommandRun.shell("$KEYWEDGE \(arguments) --json | jq -c .")
        #expect(long.exitCode == 0, "\(long.errors)")
        #expect(long.output == short.output)
    }

    @Test func whatACommandDidIsAnObjectToo() throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun.shell(
            """
            cd \(folder.path)
            printf 'id,code,price,currency\\na,1,1.00,EUR\\n' >p.csv
            $KEYWEDGE catalog import p.csv --catalog c.sqlite --json | jq -c '[.added, .removed]'
            $KEYWEDGE catalog publish feed --catalog c.sqlite --json | jq -c '[.changed, .count]'
            $KEYWEDGE catalog follow feed --catalog d.sqlite --json | jq -c '[.added, .expired]'
            $KEYWEDGE catalog remove 1 2 --catalog c.sqlite --json
            $KEYWEDGE type 12 -o x.evemu --json | jq -c '[.text, .read_back]'
            $KEYWEDGE layouts show fr --json | jq -c '.keys[] | select(.key == "KEY_1") | [.plain, .shift]'
            """)
        #expect(
            run.lines == [
                "[1,0]", "[1,1]", "[1,false]", #"{"removed":["a"],"missing":["2"]}"#,
                #"["12",true]"#, #"["&","1"]"#,
            ], "\(run.errors)")
    }

    @Test func whatIsWrongWithAConfigurationIsForProgramsToo() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("scaners: []\n", to: "k.yaml")
        let run = try CommandRun.shell(
            "$KEYWEDGE config check \(path) --json | jq -r '.problems[] | .line, .key'")
        #expect(run.lines == ["1", "scaners"])
        #expect(run.exitCode == 1)
    }

    /// Root may connect to any socket, so this runs the command as another user.
    @Test(.enabled(if: geteuid() == 0))
    func whatThisUserMayNotIsSaidWithTheFile() throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun.shell(
            """
            chmod 755 \(folder.path)
            python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("\(folder.path("s"))")'
            chmod 600 \(folder.path("s"))
            cp $KEYWEDGE \(folder.path("kw")) && cd / &&
                setpriv --reuid 65534 --clear-groups \(folder.path("kw")) status --config /dev/null \
                    --socket \(folder.path("s"))
            """)
        #expect(run.exitCode == 1)
        #expect(
            run.errors.contains(
                "this user may not connect to the daemon at \"\(folder.path("s"))\""))
        #expect(run.errors.contains("usermod -aG root"), "\(run.errors)")
    }
}
