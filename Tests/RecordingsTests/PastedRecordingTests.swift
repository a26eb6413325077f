import Keystrokes
import Recordings
import Testing

/// Recordings that people copy from a terminal or a mail.
@Suite struct PastedRecordingTests {
    static let menu = """
        Hello, my scanner drops digits:

        root@till:~# evemu-record
        Available devices:
        /dev/input/event0:\tPower Button
        /dev/input/event3:\tCorded Scanner
        Select the device event number [0-3]: 3

        """

    @Test func readsEvemuFromATerminal() {
        let reading = Reading(
            Self.menu + """
                # EVEMU 1.3
                # Kernel: 6.1.0
                N: Corded Scanner
                I: 0003 0c2e 0b61 0110
                P: 00 00 00 00 00 00 00 00
                ################################
                #      Waiting for events      #
                ################################
                E: 0.000001 0001 0005 0001\t# EV_KEY / KEY_4                1
                4E: 0.002001 0001 0005 0000\t# EV_KEY / KEY_4                0
                #E: 0.004001 0000 0000 0000\t# ------------ SYN_REPORT (0) ---------- +2ms
                E: 0.010001 0001 001c 0001\t# EV_KEY / KEY_ENTER            1

                E: 0.012001 0001 001c 0000\t# EV_KEY / KEY_ENTER            0
                ^Croot@till:~# exit
                What can I do?
                """)
        #expect(reading.message == nil)
        #expect(reading.format == .evemu)
        #expect(reading.devices.map(\.name) == ["Corded Scanner"])
        #expect(
            reading.story == [
                "1 down KEY_4", "2001 up KEY_4", "4001 report", "10001 down KEY_ENTER",
                "12001 up KEY_ENTER",
            ])
    }

    @Test func readsEvemuFromAMailAfterAListOfDevices() {
        let reading = Reading(
            """
            I: Bus=0003 Vendor=0c2e Product=0b61 Version=0110
            N: Name="Corded Scanner"
            P: Phys=usb-1/input0
            B: EV=120013

            > > N: Corded Scanner
            > > I: 0003 0c2e 0b61 0110
            > > E: 0.000001 0001 0005 0001
            > > E: 0.002001 0001 0005 0000
            """)
        #expect(reading.message == nil)
        #expect(reading.devices.map(\.vendor) == [0x0c2e])
        #expect(reading.story == ["1 down KEY_4", "2001 up KEY_4"])
    }

    @Test(arguments: [
        ": 0.002001 0001 0005 0000", "0.002001 0001 0005 0000", "4E: 0.002001 0001 0005",
        "> E: 0.0", "1 0005 0000 # EV_KEY / KEY_4 0", " 0001 0005 0000",
    ])
    func aTornEvemuEventIsAnErrorAndNotProse(line: String) {
        let reading = Reading("\(EvemuParserTests.enter)\(line)\n\(EvemuParserTests.enter)")
        #expect(reading.events.count == 1)
        guard case .badLine("shop", 2, _, _) = reading.error else {
            Issue.record("\(String(describing: reading.error))")
            return
        }
    }

    static let libinput = """
        # libinput record
        version: 1
        ndevices: 1
        libinput:
          version: "1.22.1"
        devices:
        - node: /dev/input/event3
          evdev:
            name: "Corded Scanner"
            id: [3, 3118, 2913, 272]
          events:
          # Current time is 09:51:05
        1  - evdev:
            - [  0,      1,   1,   5,       1] # EV_KEY / KEY_4                    1
            - [  0,      1,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms
          - evdev:
        4    - [  0,   2001,   1,   5,       0] # EV_KEY / KEY_4                    0
          - evdev:
        #    - [  0,   4001,   1,  28,       1] # EV_KEY / KEY_ENTER                1

            - [  0,   6001,   1,  28,       0] # EV_KEY / KEY_ENTER                0

        """
    static let story = [
        "1 down KEY_4", "1 report", "2001 up KEY_4", "4001 down KEY_ENTER", "6001 up KEY_ENTER",
    ]

    @Test func readsLibinputFromATerminal() {
        let reading = Reading(
            Self.menu.replacing("evemu-record", with: "libinput record --show-keycodes")
                + Self.libinput + "^Croot@till:~# exit\nnote: it is old\n"
                + "- [x] I have searched\n")
        #expect(reading.message == nil)
        #expect(reading.format == .libinput)
        #expect(reading.devices.map(\.name) == ["Corded Scanner"])
        #expect(reading.story == Self.story)
    }

    @Test func readsLibinputFromAMail() {
        let lines = Self.libinput.split(separator: "\n", omittingEmptySubsequences: false)
        let reading = Reading("On Monday you wrote:\n" + lines.map { "> \($0)\n" }.joined())
        #expect(reading.message == nil)
        #expect(reading.devices.map(\.vendor) == [3118])
        #expect(reading.story == Self.story)
    }

    @Test func readsTheEventsOfLibinputWithoutTheHead() {
        let reading = Reading(
            """
            Button A gives:
            ^P  - evdev:
                - [  0,      1,   1,   5,       1] # EV_KEY / KEY_4                    1
              - evdev:
                - [  0,   2001,   1,   5,       0] # EV_KEY / KEY_4           0 (obfuscated)
            """)
        #expect(reading.format == .libinput)
        #expect(reading.story == ["1 down KEY_4"])
        guard case .badLine(_, 5, "keys as typed, recorded with --show-keycodes", _) = reading.error
        else {
            Issue.record("\(String(describing: reading.error))")
            return
        }
    }

    @Test(arguments: [
        "  0,   2001,   1,   5,       0] # EV_KEY / KEY_4", "4   - [  0,   2001,   1",
    ])
    func aTornLibinputEventIsAnErrorAndNotProse(line: String) {
        let reading = Reading(Self.libinput + line + "\n")
        #expect(reading.story == Self.story)
        guard case .badLine("shop", 22, _, _) = reading.error else {
            Issue.record("\(String(describing: reading.error))")
            return
        }
    }

    @Test(arguments: ["Event: ", "", "> 1"])
    func evtestLinesWithoutTimeComeTwoMillisecondsApart(head: String) {
        let reading = Reading(
            """
            Hello,
            \(head)type 4 (EV_MSC), code 4 (MSC_SCAN), value 70021
            \(head)type 1 (EV_KEY), code 5 (KEY_4), value 1
            \(head)-------------- SYN_REPORT ------------
            \(head)type 1 (Key), code 5 (4), value 0
            \(head)type 0 (Sync), code 0 (Sync), value 0
            Thanks
            """)
        #expect(reading.message == nil)
        #expect(reading.format == .evtest)
        #expect(
            reading.story == [
                "0 4 4 458785", "0 down KEY_4", "0 report", "2000 up KEY_4", "2000 report",
            ])
    }

    /// The next scan must not look like a line of the same symbol.
    @Test func withoutTimesAKeyAfterEnterComesLater() {
        let reading = Reading(
            [(28, 1), (28, 0), (5, 1), (5, 0)].map {
                "Event: type 1 (EV_KEY), code \($0) (KEY), value \($1)"
            }.joined(separator: "\n"))
        #expect(reading.events.map(\.microseconds) == [0, 2_000, 32_000, 34_000])
    }

    @Test func aTimeAmongEvtestLinesWithoutTimesIsAnError() {
        let line = "type 1 (EV_KEY), code 5 (KEY_4), value 1"
        let reading = Reading("\(line)\n\(EvtestParserTests.enter)\n")
        #expect(reading.events.count == 1)
        guard case .badLine("shop", 2, EvtestParserTests.form, _) = reading.error else {
            Issue.record("\(String(describing: reading.error))")
            return
        }
    }

    @Test(arguments: ["0, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1", "(KEY_ENTER), value 1"])
    func aTornEvtestEventIsAnErrorAndNotProse(line: String) {
        let reading = Reading("\(EvtestParserTests.enter)\n\(line)\n")
        #expect(reading.events.count == 1)
        guard case .badLine("shop", 2, EvtestParserTests.form, _) = reading.error else {
            Issue.record("\(String(describing: reading.error))")
            return
        }
    }

    @Test(arguments: [
        "Input device name: \"Event: time 1.000000, type 1 (EV_KEY), code 28 (KEY_ENTER), value 1 \"",
        "  name:     \"[ 1.000000] EV_KEY KEY_ENTER DOWN \"",
        "device /dev/input/event1, name \"key event at 1.5, 28 (KEY_ENTER), down\"",
        "# Input device name: \"E: 1.000000 0001 001c 0001 #\"", "N: E: 1.000000 0001 001c 0001",
    ])
    func aDeviceCannotTypeByItsName(line: String) {
        #expect(Reading(line).events == [])
    }

    @Test(arguments: [
        "key words: scanner, till", "device does not work", "type of scanner: LS2208",
    ])
    func proseThatBeginsLikeACommandDecidesNothing(line: String) {
        #expect(Reading("\(line)\n\(EvtestParserTests.enter)\n").format == .evtest)
    }
}
