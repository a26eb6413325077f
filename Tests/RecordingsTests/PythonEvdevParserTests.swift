import Keystrokes
import Recordings
import Testing
import WireText

@Suite struct PythonEvdevParserTests {
    static let down = "key event at 1383327570.147000, 2 (KEY_1), down"
    static let first: Int64 = 1_383_327_570_147_000

    @Test func readsKeyEventsAmongProseAndCode() {
        let reading = Reading(
            """
            My scanner prints long lines. The script:

                for event in dev.read_loop():
                    if event.type == ecodes.EV_KEY and event.code != ecodes.KEY_ENTER:
                        print(categorize(event))

            $ sudo python3 scan.py
            device /dev/input/event1, name "Scanner", phys "usb-1/input0"
            \(Self.down)
            > > 1key event at 1383327570.147990, 2 (KEY_1), up   <- slow
            synchronization event at 1383327570.147990, SYN_REPORT
            key event at 1383327570.9, 113 (['KEY_MIN_INTERESTING', 'KEY_MUTE']), hold
            relative axis event at 1383327570.950000, REL_X
            Thanks!
            """)
        #expect(reading.message == nil)
        #expect(reading.format == .pythonEvdev)
        #expect(reading.devices == [])
        #expect(
            reading.events == [
                KeyEvent(Self.first, 1, 2, 1), KeyEvent(Self.first + 990, 1, 2, 0),
                KeyEvent(Self.first + 990, 0, 0, 0), KeyEvent(Self.first + 753_000, 1, 113, 2),
            ])
    }

    @Test func aRecordingThatBeginsWithAKeyEventIsNotAKeysFile() {
        #expect(Reading(Self.down).events == [KeyEvent(Self.first, 1, 2, 1)])
    }

    @Test func readsEventsAsPrintedWithoutTheirCategory() {
        let reading = Reading(
            """
            event at 1337197425.477827, code 04, type 04, val 458792
            event at 1337197425.477835, code 28, type 01, val 01
            event at 1337197425.477839, code 00, type 00, val 00
            """)
        #expect(reading.message == nil)
        #expect(
            reading.events == [
                KeyEvent(1_337_197_425_477_827, 4, 4, 458792),
                KeyEvent(1_337_197_425_477_835, 1, 28, 1),
                KeyEvent(1_337_197_425_477_839, 0, 0, 0),
            ])
    }

    @Test func readsSeveralRepresentationsOnALine() {
        let reading = Reading(
            """
            [InputEvent(1337197425, 477827, 4, 4, 458792), InputEvent(1337197425, 477835, 1, 28, 1)]
            KeyEvent(InputEvent(1337197425, 477900, 1, 28, 0))
            """)
        #expect(reading.message == nil)
        #expect(
            reading.events == [
                KeyEvent(1_337_197_425_477_827, 4, 4, 458792),
                KeyEvent(1_337_197_425_477_835, 1, 28, 1),
                KeyEvent(1_337_197_425_477_900, 1, 28, 0),
            ])
    }

    @Test func readsWhatItsOwnEvtestPrints() {
        let reading = Reading(
            """
            ID  Device               Name             Phys            Uniq
            --------------------------------------------------------------
            0   /dev/input/event0    Power Button     PNP0C0C/button
            1   /dev/input/event3    Scanner          usb-1/input0

            Select devices [0-1]: 1
            Listening for events (press ctrl-c to exit) ...
            time 1650400435.9     type 4 (EV_MSC), code 4    (MSC_SCAN), value 458792
            time 1650400435.9     type 1 (EV_KEY), code 28   (KEY_ENTER), value 1
            time 1650400435.9     --------- SYN_REPORT --------
            time 1650400435.90125 type 1 (EV_KEY), code 28   (KEY_ENTER), value 0
            time 1650400435.90125 --------- SYN_DROPPED --------
            """)
        #expect(reading.message == nil)
        #expect(reading.format == .pythonEvdev)
        let first: Int64 = 1_650_400_435_900_000
        #expect(
            reading.events == [
                KeyEvent(first, 4, 4, 458792), KeyEvent(first, 1, 28, 1), KeyEvent(first, 0, 0, 0),
                KeyEvent(first + 1250, 1, 28, 0), KeyEvent(first + 1250, 0, 3, 0),
            ])
    }

    @Test(arguments: [
        ("1650400435.9", Int64(1_650_400_435_900_000)), ("1.000001", 1_000_001), ("7.0", 7_000_000),
        ("1650400435.9123456", 1_650_400_435_912_345),
    ])
    func theTimeIsADecimalNumberOfSeconds(time: String, microseconds: Int64) {
        let reading = Reading("key event at \(time), 28 (KEY_ENTER), up")
        #expect(reading.events.map(\.microseconds) == [microseconds])
    }

    @Test(arguments: [
        "key event at 1383327570.1, 2 (KEY_1)", "key event at 1383327570.1, 2 (KEY_1), dow",
        "key event at 1383327570.1, 2 (KEY_1), downkey", "key event at 1383327570",
        "key event at 1383327570, 2 (KEY_1), down", "key event at 1.1, KEY_1, down",
        "key event at 1.1, 70000 (KEY_1), down", "key event at 10000000000.0, 2 (KEY_1), down",
        "event at 1.1, code 28, type 01, val 0", "event at 1.1, code 28, type 01",
        "synchronization event at 1.1, SYN_REP", "y event at 1.1, 2 (KEY_1), down",
        "383327570.147990, 2 (KEY_1), up", "InputEvent(1337197425, 477827, 1, 28, 1",
        "time 1.9   type 1 (EV_KEY), code 28   (KEY_ENTER), value",
        "E: 1.088649 0001 001c 0001",
    ])
    func aDamagedOrForeignEventIsAnError(line: String) {
        let reading = Reading("\(Self.down)\n\(line)\n\(Self.down)")
        #expect(reading.events == [KeyEvent(Self.first, 1, 2, 1)])
        #expect(
            reading.error
                == .badLine(
                    name: "shop", line: 2,
                    expected: "\"key event at SECONDS.FRACTION, NUMBER (NAME), down\", up or hold",
                    found: "\"\(line)\""))
    }

    @Test func aKeyThatNoKernelHasIsAnError() {
        #expect(
            Reading("key event at 1.5, 768 (?), down").message
                == "shop:1: expected a key code up to 767, "
                + "found \"key event at 1.5, 768 (?), down\"")
    }
}
