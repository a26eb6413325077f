import Keystrokes
import Recordings
import Testing
import WireText

@Suite struct EvtestParserTests {
    static let enter = "Event: time 1.500000, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1"
    static let form = "\"Event: time SECONDS.MICROSECONDS, type N (NAME), code N (NAME), value N\""

    @Test func readsAnIssueReportWithProseQuotingAndEcho() {
        let reading = Reading(
            """
            My scanner does not work, here is what I get:

            > Input driver version is 1.0.1
            > Input device ID: bus 0x3 vendor 0xc2e product 0xb61 version 0x110
            > Input device name: "Honeywell "Voyager""
            > Supported events:
            >   Event type 0 (EV_SYN)
            >   Event type 1 (EV_KEY)
            >     Event code 28 (KEY_ENTER)
            > Properties:
            > Testing ... (interrupt to exit)
            > Event: time 1418212567.123456, type 4 (EV_MSC), code 4 (MSC_SCAN), value 7001e
            > Event: time 1418212567.123456, type 1 (EV_KEY), code 2 (KEY_1), value 1
            > Event: time 1418212567.123456, -------------- SYN_REPORT ------------
            \t1Event: time 1418212567.131456, type 1 (EV_KEY), code 2 (KEY_1), value 0   <- hangs

            ^]Event: time 1418212567.131456, -------------- SYN_REPORT ------------
            Thanks!
            """)
        #expect(reading.error == nil)
        #expect(reading.format == .evtest)
        let device = DeviceIdentity(
            name: "Honeywell \"Voyager\"", bus: 3, vendor: 0xc2e, product: 0xb61, version: 0x110)
        let first: Int64 = 1_418_212_567_123_456
        #expect(
            reading.items == [
                .device(device), .event(KeyEvent(first, 4, 4, 0x7001e)),
                .event(KeyEvent(first, 1, 2, 1)), .event(KeyEvent(first, 0, 0, 0)),
                .event(KeyEvent(first + 8000, 1, 2, 0)), .event(KeyEvent(first + 8000, 0, 0, 0)),
            ])
    }

    @Test func readsWhatOlderReleasesPrint() {
        let reading = Reading(
            """
            Event: time 1657.754638, type 4 (Misc), code 4 (ScanCode), value 1e\r
            Event: time 1657.754638, type 1 (Key), code 30 (A), value 1\r
            Event: time 1657.754638, type 1 (Key), code 227 (?), value 0\r
            Event: time 1657.754638, type 1 (EV_KEY), code 500 ((null)), value 0\r
            Event: time 1657.754638, -------------- Report Sync ------------\r
            Event: time 1657.754639, -------------- Config Sync ------------\r

            """)
        #expect(reading.error == nil)
        #expect(
            reading.events == [
                KeyEvent(1_657_754_638, 4, 4, 0x1e), KeyEvent(1_657_754_638, 1, 30, 1),
                KeyEvent(1_657_754_638, 1, 227, 0), KeyEvent(1_657_754_638, 1, 500, 0),
                KeyEvent(1_657_754_638, 0, 0, 0), KeyEvent(1_657_754_639, 0, 1, 0),
            ])
    }

    @Test(arguments: [
        ("-------------- SYN_REPORT ------------", UInt16(0)),
        ("-------------- SYN_CONFIG ------------", 1),
        ("++++++++++++++ SYN_MT_REPORT ++++++++++++", 2),
        (">>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<", 3),
        ("-------------- SYN_DROPPED ------------", 3),
    ])
    func readsEverySynchronisation(text: String, code: UInt16) {
        #expect(Reading("Event: time 0.000007, \(text)").events == [KeyEvent(7, 0, code, 0)])
    }

    @Test func theDropThatLibevdevReportsIsADrop() {
        let reading = Reading("\(Self.enter)\n::::::::::::: dropped :::::::::::::\n")
        #expect(reading.story == ["1500000 down KEY_ENTER", "1500000 dropped"])
    }

    @Test func scanCodesAreHexadecimalAndFillThirtyTwoBits() {
        let line = "Event: time 0.000001, type 4 (EV_MSC), code 4 (MSC_SCAN), value ffc0e223"
        #expect(Reading(line).events == [KeyEvent(1, 4, 4, Int32(bitPattern: 0xffc0_e223))])
    }

    @Test func eachDeviceComesBeforeItsEvents() {
        let reading = Reading(header("a") + header("b") + Self.enter + "\n" + header("c"))
        #expect(
            reading.items == [
                .device(DeviceIdentity(name: "a")), .device(DeviceIdentity(name: "b")),
                .event(KeyEvent(1_500_000, 1, 28, 1)), .device(DeviceIdentity(name: "c")),
            ])
    }

    private func header(_ name: String) -> String {
        "Input driver version is 1.0.1\nInput device name: \"\(name)\"\n"
    }

    @Test(arguments: [
        "Event: time 1.500000, type 1 (EV_KEY), code 28 (KEY_ENTER), value ",
        "Event: time 1.500000, type 1 (EV_KEY), code 28 (KEY_EN",
        "Event: time 1.500000, type 1 (EV_KEY), code 70000 (KEY_ENTER), value 1",
        "Event: time 1.500000, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1x",
        "Event: time 1.5, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1",
        "Event: time -1.500000, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1",
        "Event: type 1 (EV_KEY), code 28 (KEY_ENTER), value 1", "Event: ", "Event:", "Ev",
        enter + " " + enter, "E: 1.088649 0001 001c 0001",
        "    - [  0, 123456,   1,  28,       1] # EV_KEY / KEY_ENTER 1",
    ])
    func aDamagedOrForeignEventIsAnError(line: String) {
        let reading = Reading("\(Self.enter)\n\(line)")
        #expect(reading.events == [KeyEvent(1_500_000, 1, 28, 1)])
        guard case .badLine("shop", 2, Self.form, _) = reading.error else {
            Issue.record("\(String(describing: reading.error))")
            return
        }
    }

    @Test(arguments: [
        "-------------- ? ------------", "-------------- SYN_REPORT", "SYN_REPORT", "",
        "-------------- SYN_REPOR",
    ])
    func aDamagedSynchronisationIsAnError(text: String) {
        #expect(
            Reading("Event: time 0.000007, \(text)\n").error
                == .badLine(
                    name: "shop", line: 1,
                    expected: "a synchronisation as \"-------------- SYN_REPORT ------------\"",
                    found: "\"Event: time 0.000007, \(text)\""))
    }

    @Test func aDamagedDeviceNumberIsAnError() {
        let line = "Input device ID: bus 0x3 vendor 0xc2e product 0x"
        #expect(
            Reading(line).message
                == "shop:1: expected \"Input device ID: bus 0xN vendor 0xN product 0xN "
                + "version 0xN\", found \"\(line)\"")
    }
}
