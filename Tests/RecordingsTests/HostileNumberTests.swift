import Foundation
import Keystrokes
import Recordings
import TestTexts
import Testing

/// Numbers that no recording of a real device contains.
@Suite struct HostileNumberTests {
    /// The latest time a recording can have, in microseconds.
    static let latest: Int64 = 9_999_999_999_999_999

    /// A line with `#` in place of one number, and the text before the line.
    struct Form: CustomTestStringConvertible {
        let head: String
        let line: String

        init(_ head: String, _ line: String) {
            self.head = head
            self.line = line
        }

        var testDescription: String { line }

        var lineNumber: Int { head.split(separator: "\n", omittingEmptySubsequences: false).count }

        func reading(_ number: String) -> Reading {
            Reading(head + line.replacing("#", with: number) + "\n")
        }
    }

    static let evemu = [
        "E: #.000000 0001 001c 0001", "E: 1.# 0001 001c 0001", "E: 1.000000 # 001c 0001",
        "E: 1.000000 0001 # 0001", "E: 1.000000 0001 001c #", "I: 0003 # 0b61 0110",
        "A: 00 # 32767 15 0 0", "L: 00 #",
    ].map { Form("# EVEMU 1.3\n", $0) }

    static let libinput =
        [
            "    - [#, 0, 1, 28, 1]", "    - [0, #, 1, 28, 1]", "    - [0, 0, #, 28, 1]",
            "    - [0, 0, 1, #, 1]", "    - [0, 0, 1, 28, #]",
        ].map { Form("version: 1\ndevices:\n- node: x\n  events:\n  - evdev:\n", $0) }
        + [Form("version: 1\ndevices:\n- node: x\n", "    id: [3, #, 1, 273]")]

    static let evtest = [
        "Event: time #.000000, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1",
        "Event: time 1.#, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1",
        "Event: time 1.000000, type # (EV_KEY), code 28 (KEY_ENTER), value 1",
        "Event: time 1.000000, type 1 (EV_KEY), code # (KEY_ENTER), value 1",
        "Event: time 1.000000, type 1 (EV_KEY), code 28 (KEY_ENTER), value #",
        "Event: time 1.000000, type 4 (EV_MSC), code 4 (MSC_SCAN), value #",
        "Input device ID: bus 0x3 vendor 0x# product 0xb61 version 0x110",
    ].map { Form("Testing ... (interrupt to exit)\n", $0) }

    static let pythonEvdev = [
        "key event at #.5, 28 (KEY_ENTER), down", "key event at 1.#, 28 (KEY_ENTER), down",
        "key event at 1.5, # (KEY_ENTER), down", "event at 1.5, code #, type 01, val 01",
        "event at 1.5, code 28, type #, val 01", "event at 1.5, code 28, type 01, val #",
        "InputEvent(#, 0, 1, 28, 1)", "InputEvent(1, #, 1, 28, 1)", "InputEvent(1, 0, #, 28, 1)",
        "InputEvent(1, 0, 1, #, 1)", "InputEvent(1, 0, 1, 28, #)",
        "time 1.5 type 1 (EV_KEY), code #   (KEY_ENTER), value 1",
        "time 1.5 type 1 (EV_KEY), code 28   (KEY_ENTER), value #",
    ].map { Form("key event at 1.5, 28 (KEY_ENTER), down\n", $0) }

    static let getevent = [
        "[ #.000000] /dev/input/event3: EV_KEY KEY_ENTER DOWN",
        "[ 1.#] /dev/input/event3: EV_KEY KEY_ENTER DOWN",
        "[ 1.000000] /dev/input/event3: # 001c 00000001",
        "[ 1.000000] /dev/input/event3: 0001 # 00000001",
        "[ 1.000000] /dev/input/event3: 0001 001c #",
    ].map { Form("[ 1.000000] /dev/input/event3: EV_KEY KEY_ENTER UP\n", $0) }

    static let keys = [
        "wait #s", "wait #ms", "pace #s", "pace #ms", "device vendor=#",
    ].map { Form("dropped\n", $0) }

    static let forms = evemu + libinput + evtest + pythonEvdev + getevent + keys

    static let numbers =
        [
            "", "0", "1", "00", "01", "0001", "00000000", "000001", "-1", "-0001", "-000001", "+1",
            "1.5",
            "2", "3", "767", "768", "02ff", "0300", "999999", "1000000", "65535", "65536", "ffff",
            "10000",
            "86400", "86401", "2147483647", "2147483648", "-2147483648", "-2147483649",
            "4294967295",
            "4294967296", "ffffffff", "100000000", "9999999999", "10000000000", "8640000000000",
            "9223372036854", "9223372036854775", "9223372036854775807", "9223372036854775808",
            "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
            "18446744073709551616", "999999999999999999", "1000000000000000000",
            "7fffffffffffffff", "0x1c", "1e308", "nan", "\u{FF11}", "\u{663}", "0\u{301}",
        ] + [String(repeating: "9", count: 1000), String(repeating: "0", count: 1000)]

    @Test(arguments: forms)
    func everyNumberGivesPossibleEventsOrOneErrorThatNamesTheLine(form: Form) {
        for number in Self.numbers {
            let reading = form.reading(number)
            #expect(reading.isPossible, "\(number)")
            if let error = reading.error {
                guard case .badLine("shop", form.lineNumber, _, _) = error else {
                    Issue.record("\(number): \(error)")
                    continue
                }
            }
        }
    }

    @Test(arguments: forms)
    func aNumberThatFitsNoFieldIsAnErrorThatShowsIt(form: Form) {
        for number in ["10000000000", "9223372036854775808", String(repeating: "7", count: 40)] {
            guard case .badLine("shop", form.lineNumber, _, let found) = form.reading(number).error
            else {
                Issue.record("expected an error for \(number)")
                continue
            }
            let shown = form.line.prefix { $0 != "#" }.count < 40
            if shown { #expect("\(found)".contains(number.prefix(8)), "\(found)") }
        }
    }

    /// A recording can last for 115,740 days, and each of these would take longer.
    @Test(arguments: [
        "pace 86400s\n"
            + String(
                repeating: "type \"" + String(repeating: "7", count: 50_000) + "\"\n", count: 2),
        "pace 86400s\n"
            + String(repeating: "key" + String(repeating: " KEY_A", count: 20_000) + "\n", count: 3),
        "pace 86400s\n"
            + String(
                repeating: "down" + String(repeating: " KEY_A", count: 20_000) + "\n", count: 7),
        "pace 86400s\n" + String(repeating: "dropped\n", count: 115_742),
        "pace 86400s\n" + String(repeating: "dropped\nwait 86400s\n", count: 57_871),
    ])
    func noPaceLeadsPastTheLatestTime(text: String) {
        let reading = Reading(text)
        #expect(reading.isPossible)
        guard case .badLine("shop", _, "times up to 9999999999 seconds", _) = reading.error else {
            Issue.record("\(String(describing: reading.error))")
            return
        }
    }

    /// A parser that called itself for each next event would run out of stack here.
    @Test func aLineOfNothingButEventsIsOneError() {
        let line = String(repeating: "0001 001c 00000001 ", count: 6000)
        guard case .badLine("shop", 1, "one event on the line", _) = Reading(line + "\n").error
        else {
            Issue.record("expected the error for several events on a line")
            return
        }
    }

    /// Changes recordings at random, with the same seeds in every run, and reads them.
    @Test(arguments: 0..<8)
    func aRecordingChangedAtRandomGivesPossibleEventsOrOneError(seed: UInt64) throws {
        var mutator = Mutator(seed: seed)
        let recordings = try Self.recordings()
        for _ in 0..<400 {
            var bytes = recordings[mutator.next(below: recordings.count)]
            for _ in 0...mutator.next(below: 4) { mutator.change(&bytes) }
            let reading = Reading(bytes: bytes)
            #expect(reading.isPossible)
            #expect(reading.message?.hasPrefix("shop") ?? true)
        }
    }

    /// Returns the start of each example recording, and the recordings of two other tests.
    private static func recordings() throws -> [[UInt8]] {
        let folder = URL(filePath: packageFolder + "examples/recordings")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { ["evemu", "keys", "txt", "yml"].contains(URL(filePath: $0).pathExtension) }
        let examples = try files.map { try Data(contentsOf: folder.appending(path: $0)) }
        return (DamagedRecordingTests.recordings + [PastedRecordingTests.libinput]).map {
            Array($0.utf8)
        }
            + examples.map { Array($0.prefix(4000)) }
    }
}

extension Reading {
    /// Whether a kernel could have sent each event, at a time that a recording can have.
    fileprivate var isPossible: Bool {
        events.allSatisfy { event in
            (0...HostileNumberTests.latest).contains(event.microseconds)
                && (event.type != InputEventType.key
                    || (event.code <= KeyCode.highest && (0...2).contains(event.value)))
        }
    }
}

/// Changes texts at random.
private struct Mutator {
    private var random: SplitMix

    init(seed: UInt64) {
        random = SplitMix(seed: seed)
    }

    mutating func next(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func change(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let index = next(below: bytes.count)
        switch next(below: 6) {
        case 0: bytes[index] = UInt8(next(below: 256))
        case 1: bytes.remove(at: index)
        case 2:
            let number = HostileNumberTests.numbers[next(below: HostileNumberTests.numbers.count)]
            let digits = bytes[index...].prefix { (0x30...0x39).contains($0) }
            bytes.replaceSubrange(digits.startIndex..<digits.endIndex, with: number.utf8)
        case 3: bytes.removeLast(bytes.count - index)
        case 4: bytes.insert(contentsOf: bytes[index...].prefix(next(below: 200)), at: index)
        default: bytes.swapAt(index, next(below: bytes.count))
        }
    }
}
