import Keystrokes
import Recordings
import Testing
import WireText

@Suite struct LibinputParserTests {
    static let head = """
        # libinput record
        version: 1
        ndevices: 1
        libinput:
          version: "1.22.1"
          git: "unknown"
        system:
          os: "debian:12"
          kernel: "6.1.0"
          dmi: "dmi:bvnSeaBIOS"
        devices:
        - node: /dev/input/event3
          evdev:
            # Name: QEMU QEMU USB Keyboard
            # ID: bus 0x3 vendor 0x627 product 0x1 version 0x111
            # Supported Events:
            name: "QEMU QEMU USB Keyboard"
            id: [3, 1575, 1, 273]
            codes:
              0: [0, 1, 2, 3] # EV_SYN
              1: [1, 2, 3] # EV_KEY
            properties: []
          hid: [
            0x05, 0x01
          ]
          udev:
            properties:
            - ID_INPUT=1
            - name=x
          quirks:
          events:
          # Current time is 09:51:05

        """
    static let enter = "    - [  0, 123456,   1,  28,       1] # EV_KEY / KEY_ENTER             1\n"
    static let keyboard = DeviceIdentity(
        name: "QEMU QEMU USB Keyboard", bus: 3, vendor: 1575, product: 1, version: 273)
    static let form = "\"- [SECONDS, MICROSECONDS, TYPE, CODE, VALUE]\""

    @Test func readsARecordingOfOneKeyboard() {
        let reading = Reading(
            Self.head + """
                  - evdev:
                    - [  0,      0,   4,   4,  458792] # EV_MSC / MSC_SCAN            458792
                    - [  0,      0,   1,  28,       1] # EV_KEY / KEY_ENTER                1
                    - [  0,      0,   0,   0,       0] # ------------ SYN_REPORT (0) ---- +0ms
                  # Current time is 09:51:10
                  - hid:
                      time: [  0,  17]
                      hidraw0: [  0,   0,  28 ]
                  - libinput:
                    - {time: 0.000, type: KEYBOARD_KEY, key: 28, state: pressed}
                  - evdev:
                    - [ 12,  11879,   1,  28,       0] # EV_KEY / KEY_ENTER                0
                """)
        #expect(reading.error == nil)
        #expect(reading.format == .libinput)
        #expect(
            reading.items == [
                .device(Self.keyboard), .event(KeyEvent(0, 4, 4, 458792)),
                .event(KeyEvent(0, 1, 28, 1)), .event(KeyEvent(0, 0, 0, 0)),
                .event(KeyEvent(12_011_879, 1, 28, 0)),
            ])
    }

    @Test func readsSeveralDevicesInTheOrderOfTheFile() {
        let second =
            "- node: /dev/input/event4\n  evdev:\n    name: 'a # b'\n    id: [5, 1, 2, 3]\n"
        let reading = Reading(
            Self.head + "  - evdev:\n" + Self.enter + second + "  events:\n  - evdev:\n"
                + Self.enter)
        #expect(reading.error == nil)
        let event = RecordingItem.event(KeyEvent(123_456, 1, 28, 1))
        let device = DeviceIdentity(name: "a # b", bus: 5, vendor: 1, product: 2, version: 3)
        #expect(reading.items == [.device(Self.keyboard), event, .device(device), event])
    }

    @Test(arguments: [
        (#""say "hi" \o/""#, #"say "hi" \o/"#), (#""a \"b\" c\\d""#, #"a "b" c\d"#),
        ("Synaptics TM2668-002", "Synaptics TM2668-002"), (#"""#, #"""#),
    ])
    func namesAreReadAsTheyAreWritten(value: String, name: String) {
        let reading = Reading("version: 1\ndevices:\n- node: x\n  evdev:\n    name: \(value)\n")
        #expect(reading.items == [.device(DeviceIdentity(name: name))])
    }

    @Test func obfuscatedKeysAreAnErrorBecauseTheyWouldGiveAWrongCode() {
        let line = "- [0, 0, 1, 30, 1] # EV_KEY / KEY_A                     1 (obfuscated)"
        let reading = Reading(Self.head + "  - evdev:\n    \(line)\n" + Self.enter)
        #expect(reading.items == [.device(Self.keyboard)])
        #expect(
            reading.error
                == .badLine(
                    name: "shop", line: 34,
                    expected: "keys as typed, recorded with --show-keycodes",
                    found: "\"    - [0, 0, 1, 30, 1] # EV_KEY / KEY_A                     …\""))
    }

    @Test func linesThatWereJoinedAreAnError() {
        let line = "- [  0, 123456,   1,  28,   0] # EV_KEY - [  0, 123457,   1,  28,   1] # EV_KEY"
        let reading = Reading(Self.head + "  - evdev:\n" + Self.enter + "    \(line)")
        guard case .badLine(_, _, "one event on the line", _) = reading.error else {
            Issue.record("expected the error for joined lines")
            return
        }
    }

    @Test(arguments: [
        "- [  0, 123456,   1,  28,       1", "- [  0, 123456,   1,  28", "- [",
        "- [  0, 123456,   1,  28,       1] x", "- [  0, 123456,   1,  28,       1, 2]",
        "- [  0, 1000000,   1,  28,      1]", "- [ -1, 123456,   1,  28,       1]",
        "- [  0, 123456,   1,  28, 9999999999]", "- [  0, 123456, 70000,  28,    1]",
        "- [  0, 123456,   1,  0x1c,     1]", "- [10000000000, 0, 1, 28, 1]", "- - 0",
        "E: 1.088649 0001 001c 0001",
    ])
    func aDamagedEventIsAnError(line: String) {
        let reading = Reading(Self.head + "  - evdev:\n" + Self.enter + "    \(line)")
        #expect(reading.events == [KeyEvent(123_456, 1, 28, 1)])
        #expect(
            reading.error
                == .badLine(
                    name: "shop", line: 35, expected: Self.form, found: "\"    \(line)\""))
    }

    @Test(arguments: [
        ("version: 2\n", 1, "\"version: 1\""),
        ("version: 1\n- [0, 0, 1, 28, 1]\n", 2, "\"- node: DEVICE\" before it"),
        ("devices:\n- node: x\n  - [0, 0, 1, 28, 1]\n", 3, "\"events:\" before it"),
        ("devices:\n- node: x\n  events:\n  - [0, 0, 1, 28, 1]\n", 4, "\"- evdev:\" before it"),
        (
            "devices:\n- node: x\n  events:\n  - evdev: [[0, 0, 1, 28, 1]]\n", 4,
            "\"- evdev:\" and the events on lines of their own"
        ),
        (
            "devices:\n- node: x\n  id: [3, 1575]\n", 3,
            "\"id: [BUS, VENDOR, PRODUCT, VERSION]\" in decimal"
        ),
        (
            "devices:\n- node: x\n  id: [3, 70000, 1, 1]\n", 3,
            "\"id: [BUS, VENDOR, PRODUCT, VERSION]\" in decimal"
        ),
    ])
    func aDocumentOfAnotherLayoutIsAnError(text: String, line: Int, expected: String) {
        guard case .badLine("shop", line, expected, _) = Reading(text).error else {
            Issue.record("\(String(describing: Reading(text).message))")
            return
        }
    }
}
