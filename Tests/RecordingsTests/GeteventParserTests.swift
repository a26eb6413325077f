import Keystrokes
import Recordings
import Testing
import WireText

@Suite struct GeteventParserTests {
    static let down = "[    1234.567890] EV_KEY       KEY_ENTER            DOWN"
    static let form = "\"[TIME] DEVICE: TYPE CODE VALUE\" as getevent prints it"

    @Test func readsNamesAndTimesOfSeveralDevices() {
        let reading = Reading(
            """
            $ adb shell getevent -lt
            add device 1: /dev/input/event5
              name:     "Corded Scanner"
            add device 2: /dev/input/event1
              name:     "touchscreen"
            could not get driver version for /dev/input/mice, Not a typewriter
            > [    1234.567890] /dev/input/event5: EV_MSC       MSC_SCAN             00070028
            > [    1234.567890] /dev/input/event5: EV_KEY       KEY_ENTER            DOWN
            > [    1234.567890] /dev/input/event5: EV_SYN       SYN_REPORT           00000000
            [    1234.568000] /dev/input/event1: EV_ABS       ABS_MT_POSITION_X    0000014f
            [    1234.568000] /dev/input/event1: EV_KEY       BTN_TOUCH            DOWN
            [    1234.569000] /dev/input/event5: EV_KEY       KEY_ENTER            UP    # released
            ^C
            """)
        #expect(reading.message == nil)
        #expect(reading.format == .getevent)
        let scanner = DeviceIdentity(name: "Corded Scanner", phys: "/dev/input/event5")
        let screen = DeviceIdentity(name: "touchscreen", phys: "/dev/input/event1")
        #expect(
            reading.items == [
                .device(scanner), .event(KeyEvent(1_234_567_890, 4, 4, 0x70028)),
                .event(KeyEvent(1_234_567_890, 1, 28, 1)), .event(KeyEvent(1_234_567_890, 0, 0, 0)),
                .device(screen), .event(KeyEvent(1_234_568_000, 1, 0x14a, 1)),
                .device(scanner), .event(KeyEvent(1_234_569_000, 1, 28, 0)),
            ])
    }

    @Test func readsTheWholeDescriptionOfADevice() {
        let reading = Reading(
            """
            add device 1: /dev/input/event3
              bus:      0003
              vendor    0c2e
              product   0b61
              version   0110
              name:     "Honeywell "Voyager""
              location: "usb-1/input0"
              id:       "S1"
              version:  1.0.1
              events:
                KEY (0001): KEY_ESC               KEY_1                 KEY_2
                MSC (0004): MSC_SCAN
            /dev/input/event3: 0001 001c 00000001
            """)
        #expect(reading.message == nil)
        #expect(
            reading.items == [
                .device(
                    DeviceIdentity(
                        name: "Honeywell \"Voyager\"", bus: 3, vendor: 0xc2e, product: 0xb61,
                        version: 0x110, phys: "usb-1/input0", uniq: "S1")),
                .event(KeyEvent(0, 1, 28, 1)),
            ])
    }

    @Test(arguments: [
        ("[   0.000007] EV_KEY       KEY_1                DOWN", KeyEvent(7, 1, 2, 1)),
        ("[   0.000007] EV_KEY       KEY_1                REPEAT", KeyEvent(7, 1, 2, 2)),
        ("[   0.000007] EV_KEY       0002                 UP", KeyEvent(7, 1, 2, 0)),
        ("[   0.000007] EV_SYN       SYN_DROPPED          00000000", KeyEvent(7, 0, 3, 0)),
        ("[   0.000007] 0001 001c 00000001", KeyEvent(7, 1, 28, 1)),
        ("7-000007: /dev/input/event0: 0001 001c 00000000", KeyEvent(7_000_007, 1, 28, 0)),
        ("[   0.000007] /dev/input/event0: 0004 0004 ffc0e223", KeyEvent(7, 4, 4, -0x3f1ddd)),
        ("EV_KEY       KEY_ENTER            DOWN   rate 3", KeyEvent(0, 1, 28, 1)),
        ("0001 001c 00000001", KeyEvent(0, 1, 28, 1)),
    ])
    func readsEveryShapeOfALine(line: String, event: KeyEvent) {
        #expect(Reading(line).message == nil)
        #expect(Reading(line).events == [event])
    }

    @Test func withoutTimesKeysComeTwoMillisecondsApart() {
        let reading = Reading(
            """
            /dev/input/event2: EV_MSC       MSC_SCAN             0007001e
            /dev/input/event2: EV_KEY       KEY_1                DOWN
            /dev/input/event2: EV_SYN       SYN_REPORT           00000000
            /dev/input/event2: EV_KEY       KEY_1                UP
            /dev/input/event2: EV_KEY       KEY_ENTER            DOWN
            """)
        #expect(
            reading.story == [
                "0 4 4 458782", "0 down KEY_1", "0 report", "2000 up KEY_1", "4000 down KEY_ENTER",
            ])
    }

    @Test(arguments: [
        "[    1234.567890] EV_KEY       KEY_ENTER            DOW", "EV_KEY KEY_ENTER",
        "[    1234.567890] EV_KEY       KEY_ENTER", "[    1234.567890] EV_KE", "[    1234.56",
        "[    1234.567] EV_KEY       KEY_ENTER            DOWN", "V_KEY       KEY_1   DOWN",
        "[    1234.567890] 0001 001c 0000001", "[    1234.567890] 0001 00000001", "001c 00000001",
        "EV_KEY       KEY_ENTER            UP", "E: 1.088649 0001 001c 0001",
    ])
    func aDamagedOrForeignEventIsAnError(line: String) {
        let reading = Reading("\(Self.down)\n\(line)\n\(Self.down)")
        #expect(reading.events == [KeyEvent(1_234_567_890, 1, 28, 1)])
        #expect(
            reading.error
                == .badLine(
                    name: "shop", line: 2, expected: Self.form, found: "\"\(line)\""))
    }

    @Test(arguments: [
        ("EV_KEY KEY_SCAN DOWN", "the kernel's name of a key as KEY_ENTER", "\"KEY_SCAN\""),
        ("EV_SYN SYN_TIDY 00000000", "SYN_REPORT or another EV_SYN", "\"SYN_TIDY\""),
        ("EV_KEY KEY_1 00000003", "a key value of 0, 1 or 2", "\"EV_KEY KEY_1 00000003\""),
        ("0001 0300 00000001", "a key code up to 767", "\"0001 0300 00000001\""),
    ])
    func anUnknownNameOrNumberIsNamed(line: String, expected: String, found: Phrase) {
        #expect(
            Reading("prose\n\(line)\n").error
                == .badLine(name: "shop", line: 2, expected: expected, found: found))
    }

    @Test(arguments: [
        "EV_KEY KEY_1 UP EV_KEY KEY_2 DOWN", "0001 0002 00000000 0001 0003 00000001",
        "[    1234.567890] EV_KEY KEY_1 UP [    1234.567891] EV_KEY KEY_2 DOWN",
        "EV_KEY KEY_1 UP EV_KEY KEY_2",
    ])
    func linesThatWereJoinedAreAnError(line: String) {
        let expected = "one event on the line"
        guard case .badLine(_, 2, expected, _) = Reading("\(Self.down)\n\(line)\n").error else {
            Issue.record("expected the error for joined lines")
            return
        }
    }

    @Test func aLineOfNothingButBeginningsIsReadOnce() {
        let line = String(repeating: "EV_", count: 43_000)
        #expect(Reading("\(Self.down)\n\(line)\n\(Self.down)\n").events.count == 2)
    }

    @Test func aKernelLogIsNotARecording() {
        guard case .unrecognised = Reading("[    1.234567] usb 1-1: new device\n").error else {
            Issue.record("expected the error for an unknown format")
            return
        }
    }
}
