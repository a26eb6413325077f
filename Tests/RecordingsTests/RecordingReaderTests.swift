import Glibc
import Keystrokes
import Recordings
import Testing
import WireText

@Suite struct RecordingReaderTests {
    static let formats =
        "expected a recording: evemu ('E: 0.000001 0001 001c 0001'), "
        + "hid-recorder ('R: 67 05 8c 09 02 …'), libinput ('version: 1'), "
        + "python-evdev ('key event at 1650400435.9, 28 (KEY_ENTER), down'), "
        + "getevent ('[ 0.000001] /dev/input/event3: EV_KEY KEY_ENTER DOWN'), "
        + "evtest ('Event: time 0.000001, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1'), "
        + "keys ('type \"4006381333931\"')"

    @Test func aMissingFileNamesTheCallAndItsError() {
        let reading = Reading(path: "/nonexistent/shop.evemu")
        #expect(
            reading.error
                == .systemCall(
                    SystemCallError(
                        operation: "open", path: "/nonexistent/shop.evemu", errno: ENOENT)))
        #expect(
            reading.message
                == "/nonexistent/shop.evemu: open failed: No such file or directory (errno 2)")
    }

    @Test func aDirectoryIsNotARecording() {
        #expect(Reading(path: "/usr").message == "/usr: read failed: Is a directory (errno 21)")
    }

    @Test func aPathCannotSteerTheTerminal() {
        #expect(
            Reading(path: "/nonexistent/\u{1B}[31m\n").message
                == #"/nonexistent/\x1b[31m\n: open failed: No such file or directory (errno 2)"#)
    }

    @Test func aDeviceWithoutContentIsEmpty() {
        #expect(Reading(path: "/dev/null").message == "/dev/null: empty: \(Self.formats)")
    }

    @Test(arguments: ["", "\n\n", " \t\r\n", "\u{FEFF}", "> >\n"])
    func aFileOfBlankLinesIsEmpty(text: String) {
        #expect(Reading(text).error == .empty(name: "shop"))
    }

    @Test(arguments: ["# only a comment\n# another", "\n#", "> # a\n\n"])
    func aFileOfCommentsHasItsOwnError(text: String) {
        #expect(Reading(text).error == .commentsAlone(name: "shop"))
        #expect(Reading(text).message == "shop: nothing but comments: \(Self.formats)")
    }

    @Test func theErrorOfABinaryFileHasTheOffset() {
        let reading = Reading(bytes: Array("N: x\n".utf8) + [0, 1, 2])
        #expect(reading.error == .binary(name: "shop", offset: 5))
        #expect(reading.message?.contains("offset 5") == true)
    }

    @Test func foreignTextShowsItsFirstLineEscaped() {
        let reading = Reading("# a comment\n\n\u{1B}]0;x\u{7}\u{9B}\u{2028}\u{202E}\t|\nE: 1\n")
        #expect(
            reading.message
                == "shop:3: \(Self.formats); "
                + #"found "\x1b]0;x\x07\u009b\u2028\u202e\t|""#)
    }

    @Test func bytesThatAreNotTextAreForeign() {
        let bytes = [UInt8](repeating: 0xFE, count: 100_000)
        #expect(
            Reading(bytes: bytes).error
                == .unrecognised(
                    name: "shop", line: 1,
                    found: "\"\(String(repeating: "\u{FFFD}", count: 60))…\""))
    }

    @Test(arguments: [
        ("# EVEMU 1.2\n", RecordingFormat.evemu), ("N: x", .evemu),
        ("# libinput record\n", .libinput),
        ("---\nversion: 1\n", .libinput), ("ndevices: 2\n", .libinput),
        ("Input driver version is 1.0.1\n", .evtest),
        ("No device specified, trying to scan all of /dev/input/event*\n", .evtest),
        ("type \"1\"", .keys), ("dropped", .keys), ("dropped\r\n", .keys), ("  wait 1s\n", .keys),
        ("E: 1.000000 0000 0000 0000\nEvent: time 1.000000, -------------- SYN_R", .evemu),
        ("B: 01 fe ff ff ff ff ff ff ff\n", .evemu),
        ("P: /devices/x\nS: disk\nE: DEVNAME=x\nInput driver version is 1.0.1\n", .evtest),
        ("Hello,\nEvent: time 1.000000, -------------- SYN_REPORT ------------\n", .evtest),
    ])
    func theFirstLineOfAFormatDecides(text: String, format: RecordingFormat) throws {
        let reader = try RecordingReader(bytes: Array(text.utf8), name: "shop")
        #expect(reader.format == format)
    }

    @Test func readsAPipeThatIsWrittenInPiecesWithoutWaitingForItsEnd() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { ends.forEach { close($0) } }
        send("type \"1", to: ends[1])
        send("\"\ntype", to: ends[1])
        var reader = try RecordingReader(path: "/dev/fd/\(ends[0])")
        #expect(reader.format == .keys)
        #expect(try reader.next() == .event(.key(.digit1, 1, at: 0)))
    }

    private func send(_ text: String, to descriptor: Int32) {
        #expect(write(descriptor, text, text.utf8.count) == text.utf8.count)
    }

    @Test func aFailingReadNamesTheSource() {
        #expect(
            throws: RecordingError.systemCall(
                SystemCallError(operation: "read", path: "/", errno: EISDIR))
        ) {
            _ = try RecordingReader(path: "/")
        }
    }

    @Test func aLineMayHave128KiB() {
        let line = "# " + String(repeating: "x", count: 128 * 1024 - 2)
        let reading = Reading("# EVEMU 1.3\n\(line)\n\(EvemuParserTests.enter)")
        #expect(reading.error == nil)
        #expect(reading.events.count == 1)
    }

    @Test(arguments: [128 * 1024 - 1, 1 << 20])
    func aLongerLineIsAnErrorThatNamesIt(length: Int) {
        for ending in ["", "\n"] {
            let line = "# " + String(repeating: "x", count: length) + ending
            let reading = Reading("\(EvemuParserTests.enter)\(line)")
            #expect(reading.events.count == 1)
            #expect(
                reading.error
                    == .badLine(
                        name: "shop", line: 2, expected: "a line of at most 131072 bytes",
                        found:
                            "a longer one, which starts \"# \(String(repeating: "x", count: 58))…\""
                    ))
        }
    }

    @Test func linesAreWholeWhereverTheBufferEnds() {
        let many = String(repeating: EvemuParserTests.enter, count: 20_000)
        let reading = Reading("# EVEMU 1.3\n" + many)
        #expect(reading.error == nil)
        #expect(reading.events.count == 20_000)
        #expect(Set(reading.events) == [KeyEvent(1_088_649, 1, 28, 1)])
    }
}
