import Foundation
import TestFolders
import TestTexts
import TestWaiting
import Testing

@Suite(.blocking) struct ReplayCommandTests {
    @Test func theSameFilesGiveTheSameBytes() throws {
        let recordings = ["gs1", "qr", "upc"].map { "examples/recordings/\($0)*.evemu" }
        let command = "$KEYWEDGE replay " + recordings.joined(separator: " ")
        let one = try CommandRun.shell(command)
        let two = try CommandRun.shell(command)
        #expect(one.exitCode == 0)
        #expect(one.lines.count == 4)
        #expect(one.output == two.output)
    }

    @Test func timesCountFromTheStartGiven() throws {
        let run = try CommandRun(
            "replay", "examples/recordings/upc-a-then-upc-e.evemu", "--start",
            "2026-11-21T09:00:00+01:00")
        #expect(run.lines.first?.contains(#""time":"2026-11-21T08:00:00.256"#) == true)
    }

    @Test func aRecordingIsReadFromStandardInput() throws {
        let run = try CommandRun("replay", "-", "--format", "text", input: "type \"42\\n\"\n")
        #expect(run.output == "42\n")
        #expect(run.exitCode == 0)
    }

    @Test func eventsAsExpectedAreSuccess() throws {
        let folder = try TemporaryFolder()
        let recording = "examples/recordings/upc-a-then-upc-e.evemu"
        let events = try folder.write(try CommandRun("replay", recording).output, to: "events")
        let run = try CommandRun("replay", recording, "--expect", events)
        #expect(run.exitCode == 0)
        #expect(run.output == "")
        #expect(run.errors.hasSuffix("keywedge: 2 events as expected\n"))
    }

    @Test func aDifferenceIsNamedByLineAndField() throws {
        let folder = try TemporaryFolder()
        let recording = "examples/recordings/upc-a-then-upc-e.evemu"
        let output = try CommandRun("replay", recording).output
        let changed = output.replacingOccurrences(of: "00042100005264", with: "00042100005265")
        let events = try folder.write(changed, to: "events")
        let run = try CommandRun("replay", recording, "--expect", events)
        #expect(run.exitCode == 1)
        #expect(
            run.output.contains(
                #"data.gtin: expected "00042100005265", found "00042100005264""#), "\(run.output)")
        #expect(run.errors.contains("1 event differs from"))
    }

    @Test func missingAndSurplusEventsAreDifferences() throws {
        let folder = try TemporaryFolder()
        let recording = "examples/recordings/upc-a-then-upc-e.evemu"
        let output = try CommandRun("replay", recording).output
        let more = try folder.write(output + output, to: "more")
        let fewer = try folder.write("", to: "fewer")
        #expect(try CommandRun("replay", recording, "--expect", more).exitCode == 1)
        #expect(try CommandRun("replay", recording, "--expect", fewer).exitCode == 1)
        let missing = try CommandRun("replay", recording, "--expect", folder.path("nothing"))
        #expect(missing.exitCode == 1)
        #expect(missing.errors.contains("open failed: No such file or directory"))
    }

    @Test func rejectionsFailOnlyWhenTheyAreToBeStrictlyTaken() throws {
        let input = "key KEY_1\ndropped\nkey KEY_ENTER\n"
        #expect(try CommandRun("replay", "-", input: input).exitCode == 0)
        let strict = try CommandRun("replay", "-", "--strict", input: input)
        #expect(strict.exitCode == 3)
        #expect(strict.lines.count == 1)
    }

    @Test func aScanAheadOfABadLineIsEmittedAndTheCommandFails() throws {
        let run = try CommandRun(
            "replay", "-", "--format", "text", input: "type \"42\\n\"\nfoo\ntype \"43\\n\"\n")
        #expect(run.output == "42\n")
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("standard input:2: expected"), "\(run.errors)")
    }

    @Test func anEmptyFileADirectoryAndABinaryFileAreNamed() throws {
        let folder = try TemporaryFolder()
        let empty = try folder.write("", to: "empty.evemu")
        let binary = try folder.write([0x7F, 0x45, 0x4C, 0x46, 0, 1, 2], to: "binary")
        for (path, message) in [
            (empty, "\(empty): empty: expected a recording"),
            (binary, "\(binary): binary: found a NUL byte at offset 4"),
            (folder.path, "\(folder.path): read failed: Is a directory (errno 21)"),
            (
                folder.path("none"),
                "\(folder.path("none")): open failed: No such file or directory (errno 2)"
            ),
        ] {
            let run = try CommandRun("replay", path)
            #expect(run.exitCode == 1)
            #expect(run.errors.contains("keywedge: \(message)"), "\(run.errors)")
            #expect(run.output == "")
        }
    }

    @Test func aRecordingCutInTheMiddleOfALineNamesTheLine() throws {
        let folder = try TemporaryFolder()
        let whole = try String(
            contentsOfFile: CommandRun.projectFolder
                + "/examples/recordings/upc-a-then-upc-e.evemu", encoding: .utf8)
        let range = try #require(whole.range(of: "E: 0.3"))
        let text = String(whole[..<range.upperBound])
        let cut = try folder.write(text, to: "cut.evemu")
        let run = try CommandRun("replay", cut)
        let line = text.split(separator: "\n", omittingEmptySubsequences: false).count
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("\(cut):\(line): expected"), "\(run.errors)")
        #expect(run.lines.count == 2)
        #expect(run.lines.last?.contains(#""reason":"torn""#) == true)
    }

    @Test func aClosedStandardOutputEndsQuietly() throws {
        let run = try CommandRun.shell(
            "yes 'type \"4006381333931\\n\"' | head -20000 2>/dev/null"
                + " | $KEYWEDGE replay - --format text | head -1; echo ${PIPESTATUS[2]}")
        #expect(run.output == "4006381333931\n0\n")
        let own = run.errors.split(separator: "\n").filter { $0.hasPrefix("keywedge: ") }
        #expect(own.allSatisfy { $0.contains("no catalog at") }, "\(own)")
        #expect(run.exitCode == 0)
    }

    @Test func aFullDiskIsTold() throws {
        let run = try CommandRun.shell(
            "echo 'type \"1\\n\"' | $KEYWEDGE replay - > /dev/full")
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("No space left on device"), "\(run.errors)")
    }

    /// The scanner is a serial one, because a keyboard has no keys for some of these characters.
    @Test(
        arguments: ["json", "text", "tsv", "pretty"],
        [
            #"\x1b[31m"#, #"\x00"#, #"\x7f"#, #"\t"#, #"\n"#, #"\x9b"#, #"\u2028"#, #"\u202e"#,
        ])
    func nothingAScanContainsBreaksALineOrReachesTheTerminal(
        format: String, escape: String
    ) throws {
        let run = try CommandRun.shell(
            """
            $KEYWEDGE type 'a\(escape)b' --interface serial -o - \
                | $KEYWEDGE replay - --format \(format)
            """)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.lines.count == 1)
        #expect(run.output.contains(#"a\"#), "\(run.output.debugDescription)")
        let allowed: [Unicode.Scalar] = format == "tsv" ? ["\t", "\n"] : ["\n"]
        let wrong = run.output.unicodeScalars.filter {
            HostileTexts.isForbidden($0) && !allowed.contains($0)
        }
        #expect(wrong.isEmpty, "\(run.output.debugDescription)")
    }

    @Test func anUnknownScannerNamesTheKnown() throws {
        let run = try CommandRun("replay", "-", "--scanner", "x", input: "type \"1\\n\"")
        #expect(run.exitCode == 1)
        #expect(run.errors.contains(#"no scanner "x" is configured; expected one of "default""#))
    }

    @Test func aSignalEndsItInOrder() throws {
        let folder = try TemporaryFolder()
        let recording = try folder.write(
            "type \"1\\n\"\nwait 600s\ntype \"2\\n\"\n", to: "wait.keys")
        let output = try folder.write("", to: "output")
        let run = try CommandRun.shell(
            """
            $KEYWEDGE replay \(recording) --realtime --format text > \(output) &
            until_true 'grep -q 1 \(output)'
            kill -TERM $!; wait $!; echo "exit $?"; cat \(output)
            """)
        #expect(run.output == "exit 143\n1\n")
    }

    @Test func theConfiguredFormatIsTheFormat() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("events: [{stdout: {format: text}}]", to: "k.yaml")
        let input = "type \"42\\n\""
        #expect(try CommandRun("replay", "-", "--config", path, input: input).output == "42\n")
        let json = try CommandRun(
            "replay", "-", "--config", path, "--format", "json", input: input)
        #expect(json.output.hasPrefix("{"))
    }

    @Test func aRecordingWithoutEventsIsNamed() throws {
        let run = try CommandRun("replay", "-", input: "# nothing\nwait 1s\n")
        #expect(run.output == "")
        #expect(run.errors.contains("standard input holds no input event"), "\(run.errors)")
    }

    @Test func lookupsThatFailAreToldOf() throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun.shell(
            """
            $KEYWEDGE catalog import examples/catalog.csv --catalog \(folder.path)/c.sqlite
            sqlite3 \(folder.path)/c.sqlite 'DROP TABLE code'
            echo 'type "42\\n"' | $KEYWEDGE replay - --catalog \(folder.path)/c.sqlite
            """)
        #expect(run.output.contains(#""status":"failed""#))
        #expect(run.errors.contains("keywedge: 1 lookup failed: "), "\(run.errors)")
    }

    @Test func recordingsThatWereJoinedDoNotJoinTheirCodes() throws {
        let run = try CommandRun(
            "replay", "-", "--format", "text",
            input: """
                E: 5.000000 0001 0002 0001
                E: 5.000000 0000 0000 0000
                E: 1.000000 0001 0003 0001
                E: 1.000000 0000 0000 0000
                E: 1.010000 0001 001c 0001
                E: 1.010000 0000 0000 0000
                E: 1.020000 0001 0004 0001
                E: 1.020000 0000 0000 0000
                E: 1.030000 0001 001c 0001
                E: 1.030000 0000 0000 0000

                """)
        #expect(run.output == "3\n")
    }

    /// Replays complete and partial swipes of a payment card, ends the process with a signal, and searches all files
    /// that the process left.
    @Test(arguments: ["json", "text", "tsv", "pretty"], ["SEGV", "ABRT", "TERM"])
    func aSwipedCardIsInNoOutputHoweverTheProcessEnds(format: String, signal: String) throws {
        let folder = try TemporaryFolder()
        let recording = try folder.write(
            """
            type "%B4111111111111111^DOE/JANE^29121010000000000000?\\n"
            type "4111111111111111\\n"
            type "%B4111111111111111^DOE"
            dropped
            key KEY_ENTER
            type "4006381333931\\n"
            wait 600s
            type "%B4111111111111111^DOE/JANE"
            key KEY_ENTER

            """, to: "swipe.keys")
        let run = try CommandRun.shell(
            """
            cd \(folder.path); mkdir out; ulimit -c 0; export SWIFT_BACKTRACE=enable=no
            $KEYWEDGE catalog import \(CommandRun.projectFolder)/examples/catalog.csv \
                --catalog out/catalog.sqlite
            $KEYWEDGE replay \(recording) --realtime --format \(format) \
                --catalog out/catalog.sqlite > out/output 2> out/errors &
            until_true 'grep -q 4006381333931 out/output'
            kill -\(signal) $!; wait $! 2>/dev/null; echo "exit $?"
            grep -rlaE '41111|DOE/|JANE' out
            """)
        let code = ["SEGV": 139, "ABRT": 134, "TERM": 143][signal] ?? 0
        #expect(run.output == "exit \(code)\n", "\(run.errors)")
    }

    /// Each scan is printed as soon as it is complete, and SIGTERM ends a daemon whose recording has no end.
    @Test(arguments: ["-", "fifo"])
    func aDaemonReadsARecordingWhileItIsWritten(file: String) throws {
        let folder = try TemporaryFolder()
        let run = try CommandRun.shell(
            """
            cd \(folder.path); mkfifo fifo; echo 'catalog: {sources: []}' >k.yaml
            $KEYWEDGE run --config k.yaml --replay \(file) --format text \(file == "-" ? "<fifo" : "") >out 2>said & daemon=$!
            exec 3>fifo
            for code in 4006381333931 96385074; do
                printf 'type "%s\\\\n"\\nwait 1s\\n' $code >&3
                until_true "grep -qx $code out"
            done
            kill $daemon; wait $daemon || exit 5
            cat out said
            """)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.lines == ["4006381333931", "96385074"])
    }
}
