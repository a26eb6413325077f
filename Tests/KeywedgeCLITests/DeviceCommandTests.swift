import Foundation
import TestFolders
import TestWaiting
import Testing

@Suite(.blocking, .enabled(if: MockedInput.isAvailable, "umockdev is not installed"))
struct DeviceCommandTests {
    private static let all = [MockedInput.Device.scanner, .mouse, .keyboard]
    /// The keys 1, 2, 3 and Enter.
    private static let scan = MockedInput.taps([2, 3, 4, 28])

    /// Writes a configuration with a timeout so long that a pause of a busy machine does not end a scan.
    private func patient(_ folder: TemporaryFolder) throws -> String {
        try folder.write("scanners: [{name: default, idle_timeout: 60s}]\n", to: "patient.yaml")
    }

    @Test func devicesSaysWhatWouldBeTakenAndWhyNot() throws {
        let run = try MockedInput(Self.all).run(
            "$KEYWEDGE devices --format pretty --config /dev/null")
        #expect(
            run.output == """
                * /dev/input/event2   0c2e:0b61  Voyager\\x1b[2J
                                      claimed: its maker makes scanners: Honeywell (Metrologic)
                                      bus usb
                                      phys usb-1/input0
                                      uniq 17031B2345

                  /dev/input/event3   046d:c077  Barcode Scanner
                                      not claimed: nothing is configured, no udev rule marked it, \
                and its maker is not known for scanners
                                      bus usb
                                      phys usb-2/input0

                  /dev/input/event10  1a86:5456  Plain Keyboard
                                      not claimed: nothing is configured, no udev rule marked it, \
                and its maker is not known for scanners
                                      bus usb
                                      phys usb-3/input0

                A scanner without a name of its own is called by its numbers: \
                0c2e-0b61-17031b2345-usb-1. To name it, write into the configuration:

                  scanners:
                    - name: counter
                      match: {vendor: "0c2e", product: "0b61"}

                """)
        #expect(run.exitCode == 0)
        #expect(run.errors == "")
    }

    @Test func devicesJudgesByTheConfiguration() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "scanners:\n  - {name: till, match: {name: \"*Scanner\"}}\n", to: "k.yaml")
        let run = try MockedInput(Self.all).run(
            "$KEYWEDGE devices --config \(path) | jq -c '[.node, .taken, .refusal]'")
        #expect(
            run.lines == [
                #"["/dev/input/event2",false,"matches-no-scanner"]"#,
                #"["/dev/input/event3",false,"cannot-type"]"#,
                #"["/dev/input/event10",false,"matches-no-scanner"]"#,
            ])
        let text = try MockedInput(Self.all).run(
            "$KEYWEDGE devices --format pretty --config \(path)")
        #expect(text.output.contains("No configured scanner is attached."))
        #expect(text.lines.last == #"      match: {vendor: "1a86", product: "5456"}"#)
        #expect(text.exitCode == 0)
    }

    @Test(arguments: ["default", "0c2e:0b61", "/dev/input/event2"], ["", "--grab"])
    func aRecordingEndedByTheUserReplaysToTheScan(scanner: String, grab: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.path("shop.evemu")
        let run = try MockedInput(Self.all, typing: Self.scan).run(
            """
            $KEYWEDGE record \(scanner) \(grab) --config /dev/null -o \(file) &
            end_when \(file) "KEY_ENTER .* 0" INT
            """)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.output == "")
        #expect(run.errors.hasSuffix("keywedge: 4 key presses recorded\n"), "\(run.errors)")
        #expect(run.errors.contains("in clear text, payment cards and identity documents too"))
        #expect(try CommandRun.shell("stat -c %a \(file)").output == "600\n")
        #expect(try CommandRun.shell("sed -n 2,3p \(file)").output.hasPrefix("N: Voyager"))
        let replay = try CommandRun.shell(
            "$KEYWEDGE replay \(file) --config \(try patient(folder)) --format json"
                + " | jq -c '.data | [.text, .scanner.vendor, .scanner.product]'")
        #expect(replay.output == "[\"123\",\"0c2e\",\"0b61\"]\n")
    }

    @Test func aRecordingOnStandardOutputEndsAfterItsTime() throws {
        // On a busy machine, not all keys may arrive within the shorter times.
        for seconds in [3, 30, 300] {
            let run = try MockedInput([.scanner], typing: Self.scan).run(
                "$KEYWEDGE record 0c2e:0b61 -o - --seconds \(seconds) --config /dev/null")
            #expect(run.exitCode == 0)
            #expect(run.lines.first == "# EVEMU 1.3")
            guard run.lines.count(where: { $0.contains("EV_KEY") }) >= 8 else { continue }
            #expect(run.lines.contains { $0.hasPrefix("E: 0.000000 0001 0002 0001") })
            #expect(run.lines.count { $0.contains("EV_KEY") } == 8)
            return
        }
        throw StillWaiting(for: "the keys")
    }

    @Test(arguments: ["INT", "TERM"])
    func monitorShowsKeysAndTheScanUntilASignalEndsIt(signal: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "lines")
        let run = try MockedInput([.scanner], typing: Self.scan).run(
            """
            $KEYWEDGE monitor default --config \(try patient(folder)) >\(file) &
            end_when \(file) "settings of" \(signal)
            """)
        #expect(run.exitCode == 0, "\(run.errors)")
        #expect(run.errors.contains("every key is shown, those of payment cards"))
        let lines = try CommandRun.shell("cat \(file)").lines
        #expect(
            lines.prefix(5).map { String($0.dropFirst(12)) } == [
                "key               held        types",
                "KEY_1                         \"1\"",
                "KEY_2                         \"2\"",
                "KEY_3                         \"3\"",
                "KEY_ENTER                     ends the scan",
            ])
        #expect(lines.dropFirst(5).first?.hasPrefix("=> scan \"123\", text, 4 keys") == true)
        #expect(lines.last == "   settings of default: layout us, ended by KEY_ENTER")
        #expect(lines.count == 7)
    }

    @Test func monitorEndsAScanThatIsIdle() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("", to: "lines")
        let run = try MockedInput([.scanner], typing: MockedInput.taps([2])).run(
            """
            $KEYWEDGE monitor default --config /dev/null >\(file) &
            end_when \(file) "settings of" INT
            """)
        #expect(run.exitCode == 0, "\(run.errors)")
        let lines = try CommandRun.shell("cat \(file)").lines
        #expect(lines.dropFirst(2).first?.hasPrefix("=> rejected: idle: a pause") == true)
    }

    @Test func whereNobodyReadsMonitorEndsQuietly() throws {
        let keys = Array(repeating: 2, count: 20)
        let run = try MockedInput([.scanner], typing: MockedInput.taps(keys, every: 10)).run(
            "$KEYWEDGE monitor default --quiet --config /dev/null | true; echo ${PIPESTATUS[0]}")
        #expect(run.output == "0\n")
        // Standard error may contain warnings of umockdev.
        #expect(!run.errors.contains("keywedge: "), "\(run.errors)")
    }

    /// Starts the daemon, reads its first event if the format is JSON, stops reading, and prints the exit code.
    private static let goingReader = """
        import os, socket, subprocess, sys
        kind, format = sys.argv[1:]
        if kind == "pipe":
            ours, theirs = os.pipe()
        else:
            ours, theirs = (end.detach() for end in socket.socketpair())
        daemon = subprocess.Popen(
            [os.environ["KEYWEDGE"], "run", "--config", "/dev/null", "--format", format],
            stdout=theirs)
        os.close(theirs)
        if format == "json":
            os.read(ours, 65536)
        os.close(ours)
        print(daemon.wait(500))
        """

    @Test(arguments: ["pipe", "socket"], ["json", "text"])
    func theDaemonEndsWithItsReaderAlthoughNothingIsScanned(kind: String, format: String) throws {
        let folder = try TemporaryFolder()
        let reader = try folder.write(Self.goingReader, to: "reader.py")
        let run = try MockedInput([.scanner]).run("python3 \(reader) \(kind) \(format)")
        #expect(run.output == "1\n")
        // umockdev also prints warnings if a process ends while it opens a device.
        let own = run.errors.split(separator: "\n").filter { $0.hasPrefix("keywedge: ") }
        #expect(
            own.last?.hasPrefix(
                "keywedge: standard output has lost its reader: the scanners are released.")
                == true,
            "\(run.errors)")
    }

    @Test func aRecordingThatCannotBeWrittenFails() throws {
        let run = try MockedInput([.scanner]).run(
            "$KEYWEDGE record default -o /dev/full --config /dev/null")
        #expect(run.exitCode == 1)
        #expect(
            run.errors.hasSuffix(
                "keywedge: /dev/full: write failed: No space left on device (errno 28). "
                    + "Make room. Run: df -h /dev\n"), "\(run.errors)")
    }

    @Test(arguments: [
        ("1234:5678", "\"1234:5678\" is not attached (keywedge devices lists what is)"),
        (
            "/dev/input/event9",
            "/dev/input/event9: open failed: No such file or directory (errno 2)"
        ),
        (
            "till",
            "no scanner \"till\" is configured; expected one of \"default\", a node such as"
                + " /dev/input/event3, or vendor:product such as 0c2e:0b61"
        ),
    ])
    func whatIsNotThereIsNamed(scanner: String, sentence: String) throws {
        for command in ["record", "monitor"] {
            let run = try MockedInput([.mouse]).run(
                "$KEYWEDGE \(command) \(scanner) --config /dev/null")
            #expect(run.exitCode == 1)
            #expect(run.errors.hasPrefix("keywedge: \(sentence)"), "\(run.errors)")
            #expect(run.output == "")
        }
    }
}

@Suite(.blocking) struct DeviceUsageTests {
    @Test(arguments: [
        "record", "monitor", "devices x", "record a --seconds 0", "record a --seconds 86401",
        "type a -o - --device", "type a -o - --vendor 0c2e", "type a --device --vendor c2e",
        "type a --device --product +c2e", "type a --device --wait -1",
        "type a --device --wait 2000", "type a --device --pace 2min",
        "type a --device --name ''",
    ])
    func wrongUsageExitsWith2(arguments: String) throws {
        let run = try CommandRun.shell("$KEYWEDGE \(arguments)")
        #expect(run.exitCode == 2, "\(run.errors)")
        #expect(run.output == "")
    }

    @Test(arguments: ["devices", "monitor", "record", "run"])
    func helpShowsAnExample(command: String) throws {
        let run = try CommandRun("\(command)", "--help")
        #expect(run.output.contains("Example:"))
        #expect(run.exitCode == 0)
    }

    @Test(
        .enabled(
            if: !FileManager.default.fileExists(atPath: "/dev/input"),
            "this machine has input devices"))
    func withoutAnyDeviceItIsSaidThatTheFolderIsMissing() throws {
        let sentence = "Nothing would be claimed: /dev/input does not exist."
        let text = try CommandRun("devices", "--format", "pretty", "--config", "/dev/null")
        #expect(text.output.hasPrefix(sentence))
        #expect(text.exitCode == 0)
        let json = try CommandRun("devices", "--format", "json", "--config", "/dev/null")
        #expect(json.output == "")
        #expect(json.errors.hasPrefix("keywedge: \(sentence)"))
        #expect(json.exitCode == 0)
    }

    @Test(
        .enabled(
            if: !FileManager.default.fileExists(atPath: "/dev/uinput"),
            "this machine has uinput, and the test would type"))
    func withoutUinputTypingThroughADeviceFailsWithTheReason() throws {
        let run = try CommandRun("type", "1", "--device", "--config", "/dev/null")
        #expect(run.exitCode == 1)
        #expect(
            run.errors.hasPrefix(
                "keywedge: /dev/uinput: open failed: No such file or directory (errno 2). "),
            "\(run.errors)")
    }
}
